/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A second validator, written from the spec's layouts as they stand: it tries every alternative
 * with backtracking, where the library follows a deterministic automaton. Slow, and shares no code
 * or table with it.
 */
#ifndef SEGUE_TESTS_BUILDERS_ORACLE_H
#define SEGUE_TESTS_BUILDERS_ORACLE_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/builders/json.h"

namespace oracle
{

struct Field {
	std::string name;
	uint32_t byte, first, width;
	bool constant, zero;
	uint64_t min, max;
	std::vector<uint64_t> never;
	std::set<uint64_t> members; /* of its enum: nothing else is legal; empty: it has none */
	uint64_t strange = 0;	    /* bits that none of its flags has */
	bool announces = false;     /* something about a list behind it */
};

struct Segment {
	std::string name;
	uint32_t size;
	std::vector<Field> fields;
	std::vector<uint32_t> reserved; /* bits */
	std::vector<uint8_t> reserved_mask; /* the same as bytes */
	bool announces = false;		    /* one of its fields does */
	bool tail = false;
	uint32_t tail_at = 0, tail_first = 0, tail_width = 0, tail_pad = 0, tail_min = 0;

	const Field *Get(const std::string &field) const
	{
		for (const Field &f : fields)
			if (f.name == field)
				return &f;
		return nullptr;
	}

	void Reserve(uint32_t bit)
	{
		reserved.push_back(bit);
		reserved_mask[bit / 8] |= uint8_t(0x80u >> bit % 8);
	}

	const Field *Announcing(const std::string &field)
	{
		for (Field &f : fields)
			if (f.name == field)
				f.announces = announces = true;
		return Get(field);
	}
};

struct Fixed {
	const Field *field;
	uint64_t value;
};

struct Node {
	enum Op { kSegment, kList, kTerminator, kGroup, kRepeat } op;
	const Segment *segment = nullptr;
	std::vector<Fixed> fixed;
	std::vector<std::vector<Node>> bodies;
	uint32_t min = 0, max = 0, unit = 0, pad = 0, head = 0;
	const Field *entries = nullptr, *sum_of = nullptr, *sum = nullptr;
	const Segment *by = nullptr;
	const Field *announcing = nullptr;
};

struct Request {
	std::string name;
	uint8_t opcode, opmod;
	uint32_t flags;
	std::vector<Node> layout;
};

struct Queue {
	std::string name;
	bool send;
	std::vector<Request> requests;
};

struct Wqe {
	const uint8_t *bytes;
	uint32_t len;

	uint64_t Bits(uint32_t first, uint32_t width) const
	{
		const uint32_t end = first + width, last = (end - 1) / 8;
		uint64_t value = bytes[first / 8] & (0xffu >> first % 8);

		for (uint32_t i = first / 8 + 1; i <= last; i++)
			value = value << 8 | bytes[i];
		return value >> (last * 8 + 8 - end);
	}
};

/* One segment tried at one place. */
struct Event {
	uint32_t at;
	uint32_t size; /* 0: an empty list */
	bool ok;
};

class Spec
{
      public:
	explicit Spec(const std::string &path)
	{
		std::ifstream file(path);
		std::stringstream text;

		text << file.rdbuf();
		const Json json = Json::Parse(text.str());
		if (json.kind != Json::kObject) {
			fprintf(stderr, "%s is not readable\n", path.c_str());
			exit(1);
		}
		for (const Json &s : json.Get("segments")->items)
			ReadSegment(s);
		control = &segments.at("ctrl");
		for (const Json &q : json.Get("queues")->items) {
			Queue queue;

			queue.name = q.Get("name")->text;
			queue.send = q.Get("send")->number;
			for (const Json &r : q.Get("requests")->items)
				queue.requests.push_back({r.Get("name")->text,
							  uint8_t(r.Get("opcode")->number),
							  uint8_t(r.Get("opmod")->number),
							  uint32_t(r.Get("flags")->number),
							  Sequence(*r.Get("layout"))});
			queues.push_back(queue);
		}
	}

	const Queue *Get(const std::string &name) const
	{
		for (const Queue &queue : queues)
			if (queue.name == name)
				return &queue;
		return nullptr;
	}

	const Segment *Find(const std::string &name) const
	{
		const auto it = segments.find(name);

		return it == segments.end() ? nullptr : &it->second;
	}

	std::vector<Queue> queues;
	std::map<std::string, Segment> segments;
	const Segment *control; /* that send requests begin with */

      private:
	static uint64_t Number(const Json &json)
	{
		return json.kind == Json::kString ? strtoull(json.text.c_str(), nullptr, 16)
						  : json.number;
	}

	void ReadSegment(const Json &s)
	{
		Segment segment;
		const Json &tail = *s.Get("tail");

		segment.name = s.Get("name")->text;
		segment.size = uint32_t(s.Get("size")->number);
		segment.reserved_mask.resize(segment.size);
		for (const Json &f : s.Get("fields")->items) {
			Field field = {f.Get("name")->text,
				       uint32_t(f.Get("byte")->number),
				       uint32_t(f.Get("first")->number),
				       uint32_t(f.Get("width")->number),
				       f.Get("const")->number != 0,
				       f.Get("zero")->number != 0,
				       Number(*f.Get("min")),
				       Number(*f.Get("max")),
				       {},
				       {},
				       Number(*f.Get("strange")),
				       false};

			for (const Json &v : f.Get("never")->items)
				field.never.push_back(Number(v));
			for (const Json &v : f.Get("members")->items)
				field.members.insert(Number(v));
			segment.fields.push_back(field);
		}
		for (const Json &bit : s.Get("reserved")->items)
			segment.Reserve(uint32_t(bit.number));
		if (tail.kind == Json::kObject) {
			segment.tail = true;
			segment.tail_at = uint32_t(tail.Get("at")->number);
			segment.tail_first = uint32_t(tail.Get("first")->number);
			segment.tail_width = uint32_t(tail.Get("width")->number);
			segment.tail_pad = uint32_t(tail.Get("pad")->number);
			segment.tail_min = uint32_t(tail.Get("min_size")->number);
		}
		segments[segment.name] = segment;
	}

	std::vector<Node> Sequence(const Json &list)
	{
		std::vector<Node> nodes;

		for (const Json &json : list.items) {
			const std::string op = json.Get("op")->text;
			Node node;

			node.op = op == "segment"      ? Node::kSegment
				  : op == "list"       ? Node::kList
				  : op == "terminator" ? Node::kTerminator
				  : op == "group"      ? Node::kGroup
						       : Node::kRepeat;
			if (json.Get("bodies"))
				for (const Json &body : json.Get("bodies")->items)
					node.bodies.push_back(Sequence(body));
			if (json.Get("segment")) {
				node.segment = &segments.at(json.Get("segment")->text);
				for (const Json &f : json.Get("fixed")->items)
					node.fixed.push_back(
						{node.segment->Get(f.Get("field")->text),
						 Number(*f.Get("value"))});
			}
			if (json.Get("min")) {
				node.min = uint32_t(json.Get("min")->number);
				node.max = uint32_t(json.Get("max")->number);
			}
			if (node.op == Node::kList) {
				node.by = &segments.at(json.Get("by")->text);
				node.announcing = segments.at(json.Get("by")->text)
							  .Announcing(json.Get("field")->text);
				node.unit = uint32_t(json.Get("unit")->number);
				node.pad = uint32_t(json.Get("pad")->number);
				node.head = uint32_t(json.Get("head")->number);
				if (json.Get("entries_by"))
					node.entries = segments.at(json.Get("entries_by")->text)
							       .Announcing(json.Get("entries_field")
										   ->text);
				if (json.Get("sum_by")) {
					node.sum_of = node.segment->Get(json.Get("sum_of")->text);
					node.sum = segments.at(json.Get("sum_by")->text)
							   .Announcing(json.Get("sum_field")->text);
				}
			}
			nodes.push_back(node);
		}
		return nodes;
	}
};

inline bool BadField(const Field &f, uint64_t value)
{
	if (f.zero && value == 0)
		return false;
	if (value < f.min || value > f.max)
		return true;
	if (!f.members.empty() && !f.members.count(value))
		return true;
	if (value & f.strange)
		return true;
	for (uint64_t never : f.never)
		if (value == never)
			return true;
	return false;
}

/* Matches one request's layout against a WQE. */
class Matcher
{
      public:
	Matcher(const Wqe &wqe, bool strict) : wqe_(wqe), strict_(strict), reached_(wqe.len + 1) {}

	bool Match(const Request &request, uint32_t from)
	{
		events.reserve(16);
		return Sequence(request.layout, 0, from, Announced(),
				[this](uint32_t at, const Announced &) {
					reached_[at] = true;
					return at == wqe_.len;
				});
	}

	bool SegmentFits(const Segment &s, uint32_t at) const
	{
		const Wqe here = {wqe_.bytes + at, wqe_.len - at};

		if (here.len < s.size)
			return false;
		for (const Field &f : s.fields)
			if (BadField(f, here.Bits(f.first, f.width)))
				return false;
		for (size_t i = 0; strict_ && i < s.reserved_mask.size(); i++)
			if (here.bytes[i] & s.reserved_mask[i])
				return false;
		return true;
	}

	/* Whether something was tried there, or all ended. */
	bool Reached(uint32_t at) const
	{
		return at < reached_.size() && reached_[at];
	}

	std::vector<Event> events;

      private:
	using Announced = std::map<const Field *, uint64_t>;

	/* What is to match behind; as std::function, but it owns nothing: what it calls stands on
	 * the stack below. */
	class Next
	{
	      public:
		template <class F>
		Next(const F &f)
		    : what_(&f), call_([](const void *what, uint32_t at, const Announced &a) {
			      return (*static_cast<const F *>(what))(at, a);
		      })
		{
		}

		bool operator()(uint32_t at, const Announced &announced) const
		{
			return call_(what_, at, announced);
		}

	      private:
		const void *what_;
		bool (*call_)(const void *, uint32_t, const Announced &);
	};

	bool Sequence(const std::vector<Node> &nodes, size_t i, uint32_t at,
		      const Announced &announced, const Next &next)
	{
		if (i == nodes.size())
			return next(at, announced);
		return One(nodes[i], at, announced, [&](uint32_t to, const Announced &a) {
			return Sequence(nodes, i + 1, to, a, next);
		});
	}

	bool Repeat(const Node &node, uint32_t count, uint32_t at, const Announced &announced,
		    const Next &next)
	{
		if (count >= node.min && next(at, announced))
			return true;
		if (count >= node.max)
			return false;
		return Sequence(node.bodies[0], 0, at, announced,
				[&](uint32_t to, const Announced &a) {
					return to > at && Repeat(node, count + 1, to, a, next);
				});
	}

	bool One(const Node &node, uint32_t at, const Announced &announced, const Next &next)
	{
		switch (node.op) {
		case Node::kGroup:
			for (const auto &body : node.bodies)
				if (Sequence(body, 0, at, announced, next))
					return true;
			return false;
		case Node::kRepeat:
			return Repeat(node, 0, at, announced, next);
		case Node::kTerminator:
			reached_[at] = true;
			return next(at, announced) || (Fits(node, at) && next(wqe_.len, announced));
		case Node::kList:
			return List(node, at, announced, next);
		case Node::kSegment:
			break;
		}
		reached_[at] = true;
		if (!Fits(node, at))
			return false;
		const Segment &s = *node.segment;
		uint32_t size = s.size;
		if (s.tail) {
			size = s.tail_at +
			       uint32_t(Wqe{wqe_.bytes + at, 0}.Bits(s.tail_first, s.tail_width));
			size = (size + s.tail_pad - 1) / s.tail_pad * s.tail_pad;
			size = size < s.tail_min ? s.tail_min : size;
		}
		if (size > wqe_.len - at) {
			events.push_back({at, size, false});
			return false;
		}
		if (!s.announces)
			return next(at + size, announced);
		Announced more = announced;
		for (const Field &f : s.fields)
			if (f.announces)
				more[&f] = Wqe{wqe_.bytes + at, 0}.Bits(f.first, f.width);
		return next(at + size, more);
	}

	bool Fits(const Node &node, uint32_t at)
	{
		bool ok = SegmentFits(*node.segment, at);

		for (const Fixed &fixed : node.fixed)
			ok = ok && Wqe{wqe_.bytes + at, 0}.Bits(fixed.field->first,
								fixed.field->width) == fixed.value;
		events.push_back({at, node.segment->size, ok});
		return ok;
	}

	bool List(const Node &node, uint32_t at, const Announced &announced, const Next &next)
	{
		const auto it = announced.find(node.announcing);
		const uint64_t whole = it == announced.end() ? 0 : it->second * node.unit;
		const uint64_t bytes = whole - node.head;
		const uint32_t entry = node.segment->size;
		const uint64_t limit = (uint64_t(node.max) * entry + node.head + node.pad - 1) /
					       node.pad * node.pad -
				       node.head;
		uint64_t sum = 0, entries = 0;
		uint32_t done = 0;
		bool ok = whole >= node.head && whole % node.pad == 0 && bytes <= wqe_.len - at &&
			  bytes >= uint64_t(node.min) * entry && bytes <= limit;

		reached_[at] = true;
		for (; ok && done < bytes; done += entry) {
			bool padding = node.entries ? entries == announced.at(node.entries)
						    : bytes - done < node.pad;

			reached_[at + done] = true;
			for (uint64_t i = done; padding && i < bytes; i++)
				padding = wqe_.bytes[at + i] == 0;
			if (padding)
				break;
			ok = SegmentFits(*node.segment, at + done);
			entries++;
			sum += node.sum_of ? Wqe{wqe_.bytes + at + done, 0}.Bits(node.sum_of->first,
										 node.sum_of->width)
					   : 0;
		}
		ok = ok && bytes - done < node.pad;
		if (node.entries)
			ok = ok && entries == announced.at(node.entries) && entries >= node.min &&
			     entries <= node.max;
		ok = ok && (!node.sum || sum == announced.at(node.sum));
		events.push_back({at, uint32_t(bytes), ok});
		return ok && next(at + uint32_t(bytes), announced);
	}

	Wqe wqe_;
	bool strict_;
	std::vector<bool> reached_; /* by offset */
};

/* All of it: control segment, opcode, flags and layout. */
class Validator
{
      public:
	Validator(const Spec &spec, const Queue &queue, const uint8_t *bytes, uint32_t len)
	    : spec_(spec), queue_(queue), bytes_(bytes), len_(len)
	{
	}

	/* Length by its own account, 0 if there is none. */
	uint32_t Length() const
	{
		if (!queue_.send)
			return len_;
		const uint32_t bytes = len_ < 16 ? 0 : (bytes_[7] & 0x3fu) * 16;

		return bytes > len_ ? 0 : bytes;
	}

	bool FlagsFit(const Request &request) const
	{
		if (!queue_.send)
			return true;
		const uint32_t dword = uint32_t(Wqe{bytes_, len_}.Bits(64, 32));

		return (dword & 0x00ffffff & ~ReservedOfControl() & ~request.flags) == 0;
	}

	bool IsOpcode(const Request &request) const
	{
		return !queue_.send || (bytes_[3] == request.opcode && bytes_[0] == request.opmod);
	}

	bool Accepts(bool strict) const
	{
		const uint32_t length = Length();
		const Wqe wqe = {bytes_, length};

		if (queue_.send &&
		    (length == 0 || !Matcher(wqe, strict).SegmentFits(*spec_.control, 0)))
			return false;
		for (const Request &request : queue_.requests)
			if (IsOpcode(request) && FlagsFit(request) &&
			    Matcher(wqe, strict).Match(request, queue_.send ? 16 : 0))
				return true;
		return false;
	}

      private:
	/* In the dword of the flags. */
	uint32_t ReservedOfControl() const
	{
		return uint32_t(Wqe{spec_.control->reserved_mask.data(), 0}.Bits(64, 32));
	}

	const Spec &spec_;
	const Queue &queue_;
	const uint8_t *bytes_;
	uint32_t len_;
};

} // namespace oracle

#endif
