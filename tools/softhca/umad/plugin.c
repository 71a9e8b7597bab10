/* SPDX-License-Identifier: BSD-2-Clause */
/* Management datagrams as a plug-in: their device files among the others. */
#include "tools/softhca/umad/umad.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "tools/softhca/uverbs/libc/libc.h"
#include "tools/softhca/uverbs/service.h"
#include "tools/softhca/uverbs/sysfs/sysfs.h"
#include "tools/softhca/uverbs/trap/trap.h"
#include "tools/softhca/uverbs/uverbs.h"

#define INDEX 0x200 /* of number UMAD_FIRST, above every device's. The others follow */
#define FILES (UV_MAX_DEVICES * UMAD_PORTS_PER_DEVICE)

static struct softhca_dev *device_of(unsigned long n, unsigned int *port)
{
	struct softhca_dev *const dev = softhca_dev_by_index((unsigned int)n /
							     UMAD_PORTS_PER_DEVICE);

	*port = (unsigned int)n % UMAD_PORTS_PER_DEVICE + 1;
	return dev && *port <= softhca_dev_config(dev)->nports ? dev : NULL;
}

static int index_of(const char *path)
{
	unsigned int port;
	unsigned long n;
	char *end;

	if (strncmp(path, UMAD_DEV_PREFIX, strlen(UMAD_DEV_PREFIX)))
		return -1;
	path += strlen(UMAD_DEV_PREFIX);
	n = strtoul(path, &end, 10);
	if (end == path || *end || n < UMAD_FIRST || n >= UMAD_FIRST + FILES || !uv_num_devices())
		return -1;
	n -= UMAD_FIRST;
	return device_of(n, &port) ? INDEX + (int)n : -1;
}

static int open_file(int index, int flags)
{
	struct softhca_dev *dev;
	unsigned int port;
	struct stat st;
	int fd;

	/* Answers and time-outs need it before any device file is open. */
	softhca_thread_start(uv_trap_on());
	softhca_lock();
	dev = device_of((unsigned long)(index - INDEX), &port);
	fd = dev ? umad_open(dev, port, flags, &st) : -ENXIO;
	if (fd >= 0)
		fd = uv_open_other(fd, &st, (unsigned int)index, umad_closed);
	softhca_unlock();
	return fd;
}

static int close_file(int fd)
{
	return uv_close_other(fd, umad_closed);
}

static int ioctl_file(int fd, unsigned long request, void *arg)
{
	struct stat st;
	int err;

	if (uv_sys_fstat(fd, &st))
		return -EBADF;
	softhca_lock();
	err = umad_ioctl(&st, request, arg);
	softhca_unlock();
	return err;
}

static ssize_t write_file(int fd, const void *buf, size_t len)
{
	struct stat st;
	ssize_t done;

	if (uv_sys_fstat(fd, &st))
		return -EBADF;
	softhca_lock();
	done = umad_write(&st, buf, len);
	softhca_thread_kick();
	softhca_unlock();
	return done;
}

static dev_t number(int index)
{
	return makedev(UMAD_MAJOR, (unsigned int)(UMAD_MINOR + UMAD_FIRST + index - INDEX));
}

/* Makes a file for each port. */
static void tree(struct uv_tree *t, const struct uv_sysfs_dev *dev, const char *pci, int index)
{
	if (!dev) {
		uv_tree_put(t, "class/infiniband_mad/abi_version", UMAD_ABI_VERSION);
		return;
	}
	for (int p = 0; p < dev->num_ports; p++) {
		const int n = UMAD_FIRST + index * UMAD_PORTS_PER_DEVICE + p;
		char name[32], base[160], rel[256];

		snprintf(name, sizeof(name), "umad%d", n);
		snprintf(base, sizeof(base), "%s/infiniband_mad/%s", pci, name);
#define UMAD_FILE(name, ...) \
	(snprintf(rel, sizeof(rel), "%s/" name, base), uv_tree_put(t, rel, __VA_ARGS__))
		UMAD_FILE("dev", "%d:%d", UMAD_MAJOR, UMAD_MINOR + n);
		UMAD_FILE("ibdev", "%s", dev->name);
		UMAD_FILE("port", "%d", p + 1);
#undef UMAD_FILE
		uv_tree_link_class(t, pci, "infiniband_mad", name);
	}
}

static const struct uv_service service = {
	.sysfs_class = "infiniband_mad",
	.first_index = INDEX,
	.last_index = INDEX + FILES - 1,
	.index_of = index_of,
	.number = number,
	.open = open_file,
	.close = close_file,
	.ioctl = ioctl_file,
	.write = write_file,
	.any_reader = umad_any_open,
	.read = umad_read,
	.start = umad_start,
	.fork_child = umad_fork_child,
	.tree = tree,
};

__attribute__((constructor)) static void join(void)
{
	uv_service_join(&service);
}
