/* SPDX-License-Identifier: BSD-2-Clause */
/* Page-aligned memory on a NUMA node or on huge pages, populated before it is used. */
#define _GNU_SOURCE
#include "runtime/object/device/memory.h"

#include <errno.h>
#include <limits.h>
#include <linux/mempolicy.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "segue/base.h"
#include "segue/device.h"

#define NODES	      1024 /* above the limit of every kernel configuration (CONFIG_NODES_SHIFT) */
#define BITS_OF_LONGS (sizeof(unsigned long) * CHAR_BIT)

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14, asm-generic/mman-common.h */
#endif

/*
 * Size of a huge page, or 0 if the system has none. Source: Linux
 * Documentation/admin-guide/mm/hugetlbpage.rst.
 */
static size_t huge_page_bytes(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	unsigned long kib = 0;
	char line[128];

	while (file && !kib && fgets(line, sizeof(line), file))
		if (sscanf(line, "Hugepagesize: %lu kB", &kib) != 1)
			kib = 0;
	if (file)
		(void)fclose(file);
	return (size_t)kib * 1024;
}

static int no_huge_pages(const char *whose, size_t bytes, size_t page)
{
	return seguei_fail(ENOMEM,
			   "%s: %zu bytes on huge pages of %zu KiB are not available; give the "
			   "system more (sysctl vm.nr_hugepages), or leave huge_pages "
			   "out.",
			   whose, bytes, page / 1024);
}

static int map(struct seguei_memory *memory, const char *whose, size_t bytes, bool huge)
{
	const size_t page = huge ? huge_page_bytes() : (size_t)sysconf(_SC_PAGESIZE);
	void *start;

	if (!page || bytes > SIZE_MAX - page)
		return no_huge_pages(whose, bytes, page);
	bytes = (bytes + page - 1) / page * page;
	start = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | (huge ? MAP_HUGETLB : 0), -1, 0);
	if (start == MAP_FAILED)
		return huge ? no_huge_pages(whose, bytes, page)
			    : seguei_fail(ENOMEM, "%s: no memory for %zu bytes.", whose, bytes);
	memory->start = start;
	memory->mapped = bytes;
	return 0;
}

/* Source: mbind(2). */
static int bind_to_node(const struct seguei_memory *memory, const char *whose,
			struct segue_device *device)
{
	unsigned long nodes[NODES / BITS_OF_LONGS] = {0};
	struct segue_place_info place;
	const int ret = segue_device_query_place(device, &place);

	if (ret)
		return ret;
	if (place.numa_node < 0 || place.numa_node >= NODES)
		return seguei_fail(ENOTSUP,
				   "%s: the system does not say on which NUMA node %s is; leave "
				   "near_device out.",
				   whose, segue_device_name(device));
	nodes[(size_t)place.numa_node / BITS_OF_LONGS] |= 1ul << (size_t)place.numa_node %
									 BITS_OF_LONGS;
	if (syscall(SYS_mbind, memory->start, memory->mapped, MPOL_BIND, nodes,
		    (unsigned long)NODES + 1, 0u))
		return seguei_fail(errno,
				   "%s: memory cannot be bound to NUMA node %d, where %s is: %s; "
				   "leave near_device out.",
				   whose, place.numa_node, segue_device_name(device),
				   strerror(errno));
	return 0;
}

/*
 * Populates the pages now. If one was missing on its node or as a huge page, its first use would
 * kill the program. Source: madvise(2).
 */
static int populate(const struct seguei_memory *memory, const char *whose)
{
	if (!madvise(memory->start, memory->mapped, MADV_POPULATE_WRITE) ||
	    errno == EINVAL) /* an older kernel */
		return 0;
	return seguei_fail(ENOMEM,
			   "%s: %zu bytes are not available with the requested properties "
			   "(huge_pages, near_device): %s.",
			   whose, memory->mapped, strerror(errno));
}

int seguei_memory_take(struct seguei_memory *memory, const char *whose, struct segue_device *device,
		       size_t bytes, struct seguei_memory_wish wish)
{
	int ret;

	memset(memory, 0, sizeof(*memory));
	if (!wish.huge_pages && !wish.near_device) {
		if (!posix_memalign(&memory->start, (size_t)sysconf(_SC_PAGESIZE), bytes))
			return 0;
		memory->start = NULL;
		return seguei_fail(ENOMEM, "%s: no memory for %zu bytes.", whose, bytes);
	}
	ret = map(memory, whose, bytes, wish.huge_pages);
	if (!ret && wish.near_device)
		ret = bind_to_node(memory, whose, device);
	if (!ret)
		ret = populate(memory, whose);
	if (ret)
		seguei_memory_give_back(memory);
	return ret;
}

void seguei_memory_give_back(struct seguei_memory *memory)
{
	if (memory->mapped)
		(void)munmap(memory->start, memory->mapped);
	else
		free(memory->start);
	memset(memory, 0, sizeof(*memory));
}
