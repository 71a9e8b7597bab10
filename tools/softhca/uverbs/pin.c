/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/softhca/uverbs/pin.h"

#include <errno.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/softhca/engine/engine.h"

/* Linux 5.14; older headers do not have them. */
#define POPULATE_READ  22
#define POPULATE_WRITE 23
/* A card pins all pages, whatever that costs; here memory is filled up to so much only. */
#define FILL_MOST      (UINT64_C(1) << 20)

/* What makes the kernel pin for writing: ib_access_writable(). */
#define WRITABLE                                                        \
	(IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE | \
	 IB_UVERBS_ACCESS_REMOTE_ATOMIC | IB_UVERBS_ACCESS_MW_BIND)

static uint64_t page_size(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Faults the pages in, as pinning does; their contents stay. */
static int populate(uint64_t at, uint64_t len, int how)
{
	return madvise((void *)(uintptr_t)at, len, how) ? errno : 0;
}

/* An old kernel answers EINVAL to everything, as does a page that may not be touched in that way. */
static bool is_refusal(int err, int how)
{
	char byte = 0;

	if (err == EFAULT)
		return true;
	return err == EINVAL &&
	       !populate((uint64_t)(uintptr_t)&byte & ~(page_size() - 1), page_size(), how);
}

int uv_pin_check(uint64_t start, uint64_t length, uint32_t access)
{
	const uint64_t page = page_size();
	const int how = access & WRITABLE ? POPULATE_WRITE : POPULATE_READ;
	const uint64_t begin = start & ~(page - 1), end = (start + length + page - 1) & ~(page - 1);
	const int keep = errno;
	int err;

	if (access & IB_UVERBS_ACCESS_ON_DEMAND || start + length < start || end < begin)
		return 0;
	if (begin == end)
		return -EINVAL;
	if (end - begin <= FILL_MOST) {
		err = populate(begin, end - begin, how);
	} else {
		err = populate(begin, page, how);
		err = err ? err : populate(end - page, page, how);
	}
	err = is_refusal(err, how) ? -EFAULT : 0;
	errno = keep;
	return err;
}
