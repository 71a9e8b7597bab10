/* SPDX-License-Identifier: BSD-2-Clause */
/* The connection manager as a plug-in: its device file among the others. */
#include "tools/softhca/rdmacm/rdmacm.h"

#include <string.h>
#include <sys/sysmacros.h>

#include "tools/softhca/uverbs/service.h"
#include "tools/softhca/uverbs/sysfs/sysfs.h"
#include "tools/softhca/uverbs/trap/trap.h"
#include "tools/softhca/uverbs/uverbs.h"

#define INDEX 0x100 /* above every device's */

static int index_of(const char *path)
{
	return !strcmp(path, RDMACM_DEV_PATH) && uv_num_devices() ? INDEX : -1;
}

static dev_t number(int index)
{
	(void)index;
	return makedev(RDMACM_MAJOR, RDMACM_MINOR);
}

static int open_file(int index, int flags)
{
	struct stat st;
	int fd;

	/* Messages and time-outs need it before any device file is open. */
	softhca_thread_start(uv_trap_on());
	fd = rdmacm_open(flags, &st);
	if (fd < 0)
		return fd;
	softhca_lock();
	fd = uv_open_other(fd, &st, (unsigned int)index, rdmacm_closed);
	softhca_unlock();
	return fd;
}

static int close_file(int fd)
{
	return uv_close_other(fd, rdmacm_closed);
}

static void tree(struct uv_tree *t, const struct uv_sysfs_dev *dev, const char *pci, int index)
{
	(void)pci;
	(void)index;
	if (dev)
		return;
	uv_tree_put(t, "class/misc/rdma_cm/abi_version", RDMACM_ABI_VERSION);
	uv_tree_put(t, "class/misc/rdma_cm/dev", "%d:%d", RDMACM_MAJOR, RDMACM_MINOR);
}

static const struct uv_service service = {
	.sysfs_class = "misc/rdma_cm",
	.first_index = INDEX,
	.last_index = INDEX,
	.index_of = index_of,
	.number = number,
	.open = open_file,
	.close = close_file,
	.refuses_children = true,
	.write = rdmacm_write,
	.seen = rdmacm_guids_seen,
	.fork_child = rdmacm_fork_child,
	.goodbye = rdmacm_goodbye,
	.tree = tree,
};

__attribute__((constructor)) static void join(void)
{
	uv_service_join(&service);
}
