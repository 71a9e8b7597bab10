/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests, written by Segue's builders and by a provider of rdma-core: the bytes must be the same,
 * and the validator must take the provider's. What a provider has written is recorded
 * (vectors.txt), and compared by each run of the tests; with a source tree of rdma-core it writes
 * anew, as many as one likes (build.sh).
 */
#ifndef SEGUE_TESTS_PROVIDERS_COMPARE_H
#define SEGUE_TESTS_PROVIDERS_COMPARE_H

#include <cstdint>
#include <random>

#include "segue/tables.h"
#include "tests/providers/provider.h"

namespace providers
{

using Random = std::mt19937_64;

/* What a test says of its device. */
struct Device {
	/* Any request that both have. */
	provider_request (*make)(Random &random);
	/* Builds it; the bytes that it takes, or negative. */
	int (*build)(const provider_request &request, uint8_t *entry, uint32_t size);
	const segue_machine *(*machine)(const provider_request &request);
	/* Writes it by offsets of public structs, where the test has that. The bytes of it. */
	int (*reference)(const provider_request &request, uint8_t *entry) = nullptr;
};

inline uint32_t Below(Random &random, uint32_t n)
{
	return static_cast<uint32_t>(random() % n);
}

/* A request with random numbers in all fields, and up to so many elements. */
provider_request Any(Random &random, uint32_t sges);

/* Makes of it a request whose payload lies in the entry. */
void MakeInline(Random &random, provider_request *request, uint32_t most);

/*
 * main() of a test.   PROGRAM VECTORS: compares what is recorded, and with the reference.
 * PROGRAM --provider LIBRARY COUNT [RECORD]: asks a provider; --record writes the answers for the
 * next time.
 */
int Main(int argc, char **argv, const Device &device);

} // namespace providers

#endif
