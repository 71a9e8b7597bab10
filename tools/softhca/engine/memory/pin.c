/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory that a card has pinned. The card may write it, whatever the program's page tables say
 * later, but it must be writable when it is pinned. The kernel's ib_umem_get() pins with FOLL_WRITE
 * if ib_access_writable(), and answers EFAULT for read-only mappings.
 *
 * The engine pins nothing, and large regions must stay unpopulated, so it checks the mappings.
 */
#include "tools/softhca/engine/memory/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* In the kernel's headers since 5.14, and in glibc's later. */
#define POPULATE_READ  22
#define POPULATE_WRITE 23
/* Largest registration to populate, like pinning. It costs less than reading mappings. */
#define POPULATE_MOST  (UINT64_C(64) << 10)

/* Same rule as the kernel's ib_access_writable(), because a window may be bound for writing. */
bool softhca_pin_writes(uint32_t access)
{
	return access & (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
			 IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_MW_BIND);
}

static bool all_mapped(uint64_t at, uint64_t end, uint64_t page)
{
	unsigned char vec[4096];
	const uint64_t chunk = page * sizeof(vec);

	for (; at < end; at += chunk)
		if (mincore((void *)(uintptr_t)at, end - at < chunk ? end - at : chunk, vec))
			return false;
	return true;
}

/* Longer lines of /proc/self/maps than `line` come in pieces. Only the first counts. */
static bool next_mapping(FILE *maps, uint64_t range[2], char perms[5])
{
	char line[128], rest[512];
	unsigned long from, to;

	if (!fgets(line, sizeof(line), maps) || sscanf(line, "%lx-%lx %4s", &from, &to, perms) != 3)
		return false;
	for (const char *piece = line; !strchr(piece, '\n'); piece = rest)
		if (!fgets(rest, sizeof(rest), maps))
			break;
	range[0] = from;
	range[1] = to;
	return true;
}

/* Mappings come in the order of their addresses. */
static bool mappings_allow(uint64_t at, uint64_t end, bool writes)
{
	FILE *const maps = fopen("/proc/self/maps", "re");
	uint64_t range[2];
	char perms[5] = "";
	bool all = true;

	while (maps && all && at < end && next_mapping(maps, range, perms)) {
		if (range[1] <= at)
			continue;
		all = perms[writes] == (writes ? 'w' : 'r');
		at = range[1];
	}
	if (maps)
		fclose(maps);
	return all;
}

bool softhca_pin_private(uint64_t at, uint64_t end)
{
	FILE *const maps = fopen("/proc/self/maps", "re");
	uint64_t range[2];
	char perms[5] = "";
	bool found = false;

	while (maps && !found && next_mapping(maps, range, perms) && range[0] < end)
		found = range[1] > at && perms[3] == 'p';
	if (maps)
		fclose(maps);
	return found;
}

/* Fails if a page is not mapped, or not with that right. */
static bool populate(uint64_t first, uint64_t end, bool writes)
{
	return end - first <= POPULATE_MOST &&
	       !syscall(SYS_madvise, first, end - first, writes ? POPULATE_WRITE : POPULATE_READ);
}

/* Reason why [first, end), whole pages, cannot be pinned, or NULL if it can. Most take one call. */
static const char *wrong_with(uint64_t first, uint64_t end, bool writes)
{
	const bool possible = end > first && end <= UINT64_C(1) << 57;

	if (possible && populate(first, end, writes))
		return NULL;
	if (!possible || !all_mapped(first, end, (uint64_t)sysconf(_SC_PAGESIZE)))
		return "not mapped";
	if (!mappings_allow(first, end, writes))
		return writes ? "read-only and cannot be pinned for writing"
			      : "not readable and cannot be pinned";
	return NULL;
}

int softhca_pin_check(uint64_t va, uint64_t len, uint32_t access)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), past = va + len;
	const uint64_t first = va & ~(page - 1), end = (past + page - 1) & ~(page - 1);
	const int saved = errno;
	const char *wrong;

	if (past >= va && first == end)
		return 0;
	wrong = wrong_with(first, end, softhca_pin_writes(access));
	errno = saved;
	return wrong ? softhca_fail(-EFAULT, "[0x%llx, 0x%llx) is %s", (unsigned long long)va,
				    (unsigned long long)past, wrong)
		     : 0;
}

bool softhca_dev_permits(const struct softhca_dev *dev, unsigned int capability)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct sets[2] = {{0}};

	return !dev->cfg.privileges ||
	       (!syscall(SYS_capget, &head, sets) && sets[0].effective >> capability & 1);
}

static uint64_t whole_pages(uint64_t va, uint64_t len)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	return ((va + len + page - 1) & ~(page - 1)) - (va & ~(page - 1));
}

int softhca_pin_limit(const struct softhca_dev *dev, const struct softhca_mkey *instead,
		      uint64_t va, uint64_t len)
{
	uint64_t sum = whole_pages(va, len);
	const struct softhca_mkey *mr;
	struct rlimit most;

	if (softhca_dev_permits(dev, CAP_IPC_LOCK) || getrlimit(RLIMIT_MEMLOCK, &most))
		return 0;
	for (const struct softhca_dev *d = the_engine.devs; d; d = d->next)
		for (uint32_t n = 0; (mr = softhca_table_iter(&d->mkeys, &n));)
			if (mr->kind == SOFTHCA_KEY_MR && mr != instead &&
			    !(mr->access & IBV_ACCESS_ON_DEMAND))
				sum += whole_pages(mr->base, mr->len);
	return sum > most.rlim_cur
		       ? softhca_fail(-ENOMEM,
				      "%llu bytes would be pinned together, RLIMIT_MEMLOCK "
				      "(`ulimit -l`) is %llu",
				      (unsigned long long)sum, (unsigned long long)most.rlim_cur)
		       : 0;
}

/* The kernel can write read-only private mappings this way, as debuggers do. */
int softhca_pin_write(uint64_t va, const void *src, size_t len)
{
	const int saved = errno;
	uint8_t byte;
	long n, fd;

	/* Memory that cannot be read any more counts as unmapped. */
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
