/* SPDX-License-Identifier: BSD-2-Clause */
/* A JSON reader, as strict as RFC 8259, for what the decoder prints. */
#ifndef SEGUE_TESTS_BUILDERS_JSON_H
#define SEGUE_TESTS_BUILDERS_JSON_H

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

struct Json {
	enum Kind { kBroken, kNull, kBool, kNumber, kString, kArray, kObject } kind = kBroken;
	uint64_t number = 0; /* whole numbers only; of a bool 0 or 1 */
	std::string text;
	std::vector<std::string> keys; /* of an object: those of its items */
	std::vector<Json> items;

	const Json *Get(const std::string &key) const
	{
		for (size_t i = 0; i < keys.size(); i++)
			if (keys[i] == key)
				return &items[i];
		return nullptr;
	}

	/* Parses all of `text`; kBroken if it is not one JSON value. */
	static Json Parse(const std::string &text)
	{
		size_t at = 0;
		Json value;

		if (!value.Read(text, at))
			return Json();
		Skip(text, at);
		return at == text.size() ? value : Json();
	}

private:
	static void Skip(const std::string &s, size_t &at)
	{
		while (at < s.size() &&
		       (s[at] == ' ' || s[at] == '\n' || s[at] == '\t' || s[at] == '\r'))
			at++;
	}

	static bool Eat(const std::string &s, size_t &at, char c)
	{
		Skip(s, at);
		if (at >= s.size() || s[at] != c)
			return false;
		at++;
		return true;
	}

	static bool ReadString(const std::string &s, size_t &at, std::string &out)
	{
		if (!Eat(s, at, '"'))
			return false;
		for (; at < s.size() && s[at] != '"'; at++) {
			if ((unsigned char)s[at] < 0x20)
				return false;
			if (s[at] != '\\') {
				out += s[at];
				continue;
			}
			if (++at >= s.size())
				return false;
			if (s[at] == '"' || s[at] == '\\' || s[at] == '/') {
				out += s[at];
			} else if (s[at] == 'u' && at + 4 < s.size()) {
				out += char(strtoul(s.substr(at + 1, 4).c_str(), nullptr, 16));
				at += 4;
			} else {
				return false;
			}
		}
		return Eat(s, at, '"');
	}

	bool ReadMembers(const std::string &s, size_t &at)
	{
		kind = kObject;
		if (Eat(s, at, '}'))
			return true;
		do {
			std::string key;
			Json value;

			if (!ReadString(s, at, key) || Get(key) || !Eat(s, at, ':') ||
			    !value.Read(s, at))
				return false;
			keys.push_back(key);
			items.push_back(value);
		} while (Eat(s, at, ','));
		return Eat(s, at, '}');
	}

	bool ReadItems(const std::string &s, size_t &at)
	{
		kind = kArray;
		if (Eat(s, at, ']'))
			return true;
		do {
			Json value;

			if (!value.Read(s, at))
				return false;
			items.push_back(value);
		} while (Eat(s, at, ','));
		return Eat(s, at, ']');
	}

	bool ReadWord(const std::string &s, size_t &at, const char *word, Kind is, uint64_t value)
	{
		const std::string w = word;

		if (s.compare(at, w.size(), w) != 0)
			return false;
		at += w.size();
		kind = is;
		number = value;
		return true;
	}

	bool Read(const std::string &s, size_t &at)
	{
		Skip(s, at);
		if (Eat(s, at, '{'))
			return ReadMembers(s, at);
		if (Eat(s, at, '['))
			return ReadItems(s, at);
		if (at < s.size() && s[at] == '"') {
			kind = kString;
			return ReadString(s, at, text);
		}
		if (ReadWord(s, at, "true", kBool, 1) || ReadWord(s, at, "false", kBool, 0) ||
		    ReadWord(s, at, "null", kNull, 0))
			return true;
		if (at >= s.size() || s[at] < '0' || s[at] > '9' ||
		    (s[at] == '0' && at + 1 < s.size() && s[at + 1] >= '0' && s[at + 1] <= '9'))
			return false;
		kind = kNumber;
		for (; at < s.size() && s[at] >= '0' && s[at] <= '9'; at++)
			number = number * 10 + uint64_t(s[at] - '0');
		return true;
	}
};

#endif
