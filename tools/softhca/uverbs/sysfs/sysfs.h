/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sysfs tree in which libibverbs finds devices.
 *
 * It is a real directory, because opendir() and openat() inside libibverbs are then real calls. A
 * tree belongs to one process, which locks it. Those of dead processes are reused or removed.
 */
#ifndef SOFTHCA_UVERBS_SYSFS_H
#define SOFTHCA_UVERBS_SYSFS_H

#include <stddef.h>
#include <stdint.h>

#include "tools/softhca/uverbs/sysfs/tree.h"

#define UV_SYSFS_GIDS	16

/* Device numbers start high, so that a real uverbs0 on the same machine is never hidden. */
#define UV_CHRDEV_MAJOR 231
#define UV_CHRDEV_MINOR 1092
#define UV_CHRDEV_NAME	"uverbs"
#define UV_CHRDEV_FIRST 900

struct uv_sysfs_port {
	int ethernet;
	int active;
	uint16_t lid;
	uint16_t sm_lid;
	uint32_t cap_mask;
	uint8_t gid[UV_SYSFS_GIDS][16];
	uint8_t gid_type[UV_SYSFS_GIDS]; /* enum ib_uverbs_gid_type, only for a non-zero GID */
};

struct uv_sysfs_dev {
	char name[32];
	uint64_t node_guid; /* host order */
	uint32_t device_id; /* PCI */
	int numa_node; /* -1: not known */
	int num_ports;
	const struct uv_sysfs_port *ports;
};

/* Links /sys/class/CLASS/NAME to the device. */
void uv_tree_link_class(struct uv_tree *t, const char *pci, const char *class_name,
			const char *name);

/* Adds other parts' entries. Called without a device, then for each with folder and index. */
typedef void uv_tree_more(struct uv_tree *t, const struct uv_sysfs_dev *dev, const char *pci,
			  int index);

/* One counter of a port. `file` comes from uv_counter_name(). */
struct uv_sysfs_counter {
	int device;
	const char *name; /* of the device */
	unsigned int port;
	const char *file;
	uint64_t value;
};

/* Both write to a tree that uv_tree_take() has taken. They return 0 or a negative errno. */
int uv_sysfs_write(int tree, const struct uv_sysfs_dev *devs, int count, uv_tree_more *more);
/* `st` identifies the file, which stays the same because programs keep it open. */
int uv_sysfs_counter(int tree, const struct uv_sysfs_counter *c, struct stat *st);

#endif /* SOFTHCA_UVERBS_SYSFS_H */
