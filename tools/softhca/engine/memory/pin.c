/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a card has pinned it may write, whatever the program's page tables say later; and what it
 * is to write must be writable when it is pinned. The kernel's ib_umem_get() pins with FOLL_WRITE
 * if ib_access_writable(), and answers EFAULT for mappings that are read-only.
 *
 * Nothing is pinned here, and large regions must stay unpopulated, so the mappings are looked at.
 */
#include "tools/softhca/engine/memory/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of the kernel's headers since 5.14, of glibc's later. */
#define POPULATE_WRITE 23
/* What a registration may populate, as pinning would: cheaper than a look at all mappings. */
#define POPULATE_MOST  (UINT64_C(64) << 10)

/* A line of /proc/self/maps that is longer than `line` comes in pieces; the first one counts. */
static bool next_mapping(FILE *maps, uint64_t range[2], bool *writable)
{
	char line[128], rest[512], perms[5] = "";
	unsigned long from, to;

	if (!fgets(line, sizeof(line), maps) || sscanf(line, "%lx-%lx %4s", &from, &to, perms) != 3)
		return false;
	for (const char *piece = line; !strchr(piece, '\n'); piece = rest)
		if (!fgets(rest, sizeof(rest), maps))
			break;
	range[0] = from;
	range[1] = to;
	*writable = perms[1] == 'w';
	return true;
}

/* They come in the order of their addresses. */
static bool mappings_writable(uint64_t at, uint64_t end)
{
	FILE *const maps = fopen("/proc/self/maps", "re");
	uint64_t range[2];
	bool writable, all = true;

	while (maps && all && at < end && next_mapping(maps, range, &writable)) {
		if (range[1] <= at)
			continue;
		all = writable;
		at = range[1];
	}
	if (maps)
		fclose(maps);
	return all;
}

bool softhca_pin_writable(uint64_t va, uint64_t len)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	const uint64_t first = va & ~(page - 1), end = (va + len + page - 1) & ~(page - 1);

	if (!len)
		return true;
	if (end - first <= POPULATE_MOST &&
	    !syscall(SYS_madvise, first, end - first, POPULATE_WRITE))
		return true;
	return mappings_writable(first, end);
}

/* The kernel writes private mappings that are read-only this way, as a debugger does. */
int softhca_pin_write(uint64_t va, const void *src, size_t len)
{
	const int saved = errno;
	uint8_t byte;
	long n, fd;

	/* What cannot be read any more is taken for memory that is gone. */
	if (softhca_copy_in(&byte, va, 1) || softhca_copy_in(&byte, va + len - 1, 1))
		return -EFAULT;
	fd = syscall(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		errno = saved;
		return -EFAULT;
	}
	n = syscall(SYS_pwrite64, fd, src, len, va);
	syscall(SYS_close, fd);
	errno = saved;
	return n == (long)len ? 0 : -EFAULT;
}
