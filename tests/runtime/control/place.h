// SPDX-License-Identifier: BSD-2-Clause
// What the kernel says of where memory is, and what there is of it.
#ifndef SEGUE_TESTS_RUNTIME_CONTROL_PLACE_H
#define SEGUE_TESTS_RUNTIME_CONTROL_PLACE_H

#include <linux/mempolicy.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// The NUMA node of a byte, or -1.
static inline int node_of(const void *at)
{
	int node = -1;

	return syscall(SYS_get_mempolicy, &node, nullptr, 0ul, at,
		       (unsigned long)(MPOL_F_NODE | MPOL_F_ADDR))
		       ? -1
		       : node;
}

// The policy of its mapping, MPOL_BIND for one bound to a node; -1 where nothing is mapped.
static inline int policy_of(const void *at)
{
	int policy = -1;

	return syscall(SYS_get_mempolicy, &policy, nullptr, 0ul, at, (unsigned long)MPOL_F_ADDR)
		       ? -1
		       : policy;
}

// Whether this process may bind memory to a node at all (a container may forbid it).
static inline bool may_bind(int node)
{
	void *page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			  0);
	const unsigned long nodes = 1ul << node;
	const bool may = !syscall(SYS_mbind, page, 4096ul, (unsigned long)MPOL_BIND, &nodes, 65ul,
				  0u);

	munmap(page, 4096);
	return may;
}

// "KernelPageSize" of the mapping that an address lies in, in KiB; 0 if there is none.
static inline unsigned long page_kib_of(const void *at)
{
	FILE *file = fopen("/proc/self/smaps", "r");
	unsigned long from, to, kib = 0;
	bool inside = false;
	char line[512];

	while (file && !kib && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
			inside = from <= (uintptr_t)at && (uintptr_t)at < to;
		if (!inside || sscanf(line, "KernelPageSize: %lu", &kib) != 1)
			kib = 0;
	}
	if (file)
		fclose(file);
	return kib;
}

// What a test skips with that could try refusals alone. tools/test reserves some pages where it
// may.
#define NO_HUGE_PAGES "this machine has no huge pages free (sysctl vm.nr_hugepages=48)"

static inline unsigned long meminfo(const char *format)
{
	FILE *file = fopen("/proc/meminfo", "r");
	unsigned long value = 0;
	char line[128];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, format, &value) == 1)
			break;
	if (file)
		fclose(file);
	return value;
}

#endif
