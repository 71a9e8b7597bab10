/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/providers/compare.h"

#include <dlfcn.h>

#include <infiniband/verbs.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "segue/base.h"
#include "segue/decode.h"
#include "tests/seed/seed.h"

namespace providers
{

using Post = int (*)(const provider_request *, uint8_t *);

provider_request Any(Random &random, uint32_t sges)
{
	provider_request r = {};

	r.imm = static_cast<uint32_t>(random());
	r.rkey = static_cast<uint32_t>(random());
	r.qkey = static_cast<uint32_t>(random());
	r.qpn = static_cast<uint32_t>(random()) & 0xffffff;
	r.av = static_cast<uint32_t>(random());
	r.number = static_cast<uint32_t>(random());
	r.remote = random();
	r.compare_add = random();
	r.swap = random();
	r.n_sge = Below(random, sges + 1);
	for (uint32_t i = 0; i < r.n_sge; i++)
		r.sge[i] = {random(), static_cast<uint32_t>(random()) & 0x3ffffff,
			    static_cast<uint32_t>(random())};
	return r;
}

void MakeInline(Random &random, provider_request *r, uint32_t most)
{
	r->flags |= IBV_SEND_INLINE;
	std::memset(r->sge, 0, sizeof(r->sge));
	r->n_sge = 0;
	r->n_payload = Below(random, most + 1);
	for (uint32_t i = 0; i < r->n_payload; i++)
		r->payload[i] = static_cast<uint8_t>(random());
}

/* Text: one request a line, numbers in hexadecimal, bytes behind '='. */

static std::string Hex(const uint8_t *bytes, uint32_t size)
{
	std::string text = "=";
	char two[3];

	for (uint32_t i = 0; i < size; i++) {
		std::snprintf(two, sizeof(two), "%02x", bytes[i]);
		text += two;
	}
	return text;
}

static std::vector<uint8_t> Bytes(const std::string &text)
{
	std::vector<uint8_t> bytes;

	for (size_t i = 1; i + 1 < text.size(); i += 2)
		bytes.push_back(
			static_cast<uint8_t>(std::strtoul(text.substr(i, 2).c_str(), nullptr, 16)));
	return bytes;
}

static void Write(std::ostream &out, const provider_request &r, const uint8_t *entry, uint32_t size)
{
	out << std::hex << r.queue << ' ' << r.op << ' ' << r.flags << ' ' << r.imm << ' ' << r.rkey
	    << ' ' << r.qkey << ' ' << r.qpn << ' ' << r.av << ' ' << r.number << ' ' << r.remote
	    << ' ' << r.compare_add << ' ' << r.swap << ' ' << r.n_sge;
	for (uint32_t i = 0; i < r.n_sge; i++)
		out << ' ' << r.sge[i].addr << ' ' << r.sge[i].length << ' ' << r.sge[i].lkey;
	out << ' ' << Hex(r.payload, r.n_payload) << ' ' << Hex(entry, size) << '\n';
}

static bool Read(const std::string &line, provider_request *r, std::vector<uint8_t> *entry)
{
	std::istringstream in(line);
	std::string payload, bytes;

	*r = {};
	in >> std::hex >> r->queue >> r->op >> r->flags >> r->imm >> r->rkey >> r->qkey >> r->qpn >>
		r->av >> r->number >> r->remote >> r->compare_add >> r->swap >> r->n_sge;
	for (uint32_t i = 0; i < r->n_sge && i < PROVIDER_SGES; i++)
		in >> r->sge[i].addr >> r->sge[i].length >> r->sge[i].lkey;
	in >> payload >> bytes;
	if (!in || r->n_sge > PROVIDER_SGES || payload.size() > 2 * PROVIDER_PAYLOAD)
		return false;
	const std::vector<uint8_t> found = Bytes(payload);

	r->n_payload = static_cast<uint32_t>(found.size());
	std::copy(found.begin(), found.end(), r->payload);
	*entry = Bytes(bytes);
	return true;
}

static bool Same(const Device &device, const provider_request &r, const uint8_t *theirs,
		 uint32_t size)
{
	uint8_t ours[PROVIDER_ENTRY];
	segue_offence offence;
	char sentence[384];
	int built;

	std::memset(ours, 0xee, sizeof(ours));
	built = device.build(r, ours, size);
	if (built != static_cast<int>(size) || std::memcmp(ours, theirs, size)) {
		std::ostringstream text;

		Write(text, r, theirs, size);
		std::printf("differs: %s  segue    %s (%d of %u bytes; %s)\n", text.str().c_str(),
			    Hex(ours, size).c_str(), built, size,
			    built < 0 ? segue_errmsg() : "no error");
		return false;
	}
	if (segue_wqe_validate(device.machine(r), theirs, size, &offence)) {
		(void)segue_offence_print(&offence, sentence, sizeof(sentence));
		std::printf("the validator refuses what the provider wrote: %s\n", sentence);
		return false;
	}
	return true;
}

static int CompareRecorded(const Device &device, const char *file)
{
	std::ifstream in(file);
	std::string line;
	unsigned int count = 0;

	while (std::getline(in, line)) {
		std::vector<uint8_t> entry;
		provider_request r;

		if (line.empty() || line[0] == '#')
			continue;
		if (!Read(line, &r, &entry)) {
			std::printf("%s: cannot read '%s'\n", file, line.c_str());
			return 1;
		}
		if (!Same(device, r, entry.data(), static_cast<uint32_t>(entry.size())))
			return 1;
		count++;
	}
	std::printf("%u recorded requests are the bytes that the provider wrote\n", count);
	return count ? 0 : 1;
}

static int CompareLive(const Device &device, const char *library, uint64_t count,
		       const char *record)
{
	void *handle = dlopen(library, RTLD_LAZY);
	const Post post = handle ? reinterpret_cast<Post>(dlsym(handle, "provider_post")) : nullptr;
	Random random(segue_test_seed());
	std::ofstream out;

	if (!post) {
		std::printf("%s: %s\n", library, dlerror());
		return 1;
	}
	if (record)
		out.open(record);
	for (uint64_t i = 0; i < count; i++) {
		const provider_request r = device.make(random);
		uint8_t theirs[PROVIDER_ENTRY] = {};
		const int size = post(&r, theirs);

		if (size <= 0) {
			std::printf(
				"the provider refuses a request of queue %u, operation %u: %d\n",
				r.queue, r.op, size);
			return 1;
		}
		if (!Same(device, r, theirs, static_cast<uint32_t>(size)))
			return 1;
		if (record)
			Write(out, r, theirs, static_cast<uint32_t>(size));
	}
	std::printf("%llu requests are the bytes that the provider writes\n",
		    static_cast<unsigned long long>(count));
	return 0;
}

static int CompareReference(const Device &device)
{
	constexpr int kRequests = 10000;
	Random random(segue_test_seed());

	for (int i = 0; i < kRequests; i++) {
		const provider_request r = device.make(random);
		uint8_t theirs[PROVIDER_ENTRY];
		const int size = device.reference(r, theirs);

		if (!Same(device, r, theirs, static_cast<uint32_t>(size)))
			return 1;
	}
	std::printf("%d random requests are the bytes of the reference\n", kRequests);
	return 0;
}

int Main(int argc, char **argv, const Device &device)
{
	if (argc == 2 && device.reference && CompareReference(device))
		return 1;
	if (argc == 2)
		return CompareRecorded(device, argv[1]);
	if (argc >= 4 && !std::strcmp(argv[1], "--provider"))
		return CompareLive(device, argv[2], std::strtoull(argv[3], nullptr, 0),
				   argc > 4 ? argv[4] : nullptr);
	std::printf("Usage: %s VECTORS, or %s --provider LIBRARY COUNT [RECORD]\n", argv[0],
		    argv[0]);
	return 2;
}

} // namespace providers
