/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Services of the kernel beside uverbs, each with device files of its own: plug-ins. A service
 * gives a table of functions; the interposed calls and the life of the process ask those that are
 * there, and know none by name.
 */
#ifndef SOFTHCA_UVERBS_SERVICE_H
#define SOFTHCA_UVERBS_SERVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct uv_sysfs_dev;
struct uv_tree;

/* Functions that a service does not need are NULL. An int or a size may be -errno. */
struct uv_service {
	const char *sysfs_class; /* its place below /sys/class */
	/* Its files are known by these indices (uv_index_of()), beyond every device's. */
	int first_index, last_index;
	/* What a forked child writes to the parent's files comes here too, to be refused. */
	bool refuses_children;
	/* index_of: of the file that a path names; or -1. */
	int (*index_of)(const char *path);
	dev_t (*number)(int index);
	/* Without the lock: */
	int (*open)(int index, int flags);
	int (*close)(int fd);
	int (*ioctl)(int fd, unsigned long request, void *arg);
	ssize_t (*write)(int fd, const void *buf, size_t len);
	/* any_reader: is there a file whose read() is not what the C library makes of it? Cheap. */
	bool (*any_reader)(void);
	ssize_t (*read)(int fd, void *buf, size_t len);
	/* seen: somebody (libibverbs) reads the device tree now. */
	void (*seen)(void);
	/* With the lock: the devices are up; the process is a forked child; it ends. */
	void (*start)(void);
	void (*fork_child)(void);
	void (*goodbye)(void);
	/* tree: writes its part of the device tree: once with no device, then for each. */
	void (*tree)(struct uv_tree *t, const struct uv_sysfs_dev *dev, const char *pci, int index);
};

/* uv_service_join: from a constructor of the plug-in. */
void uv_service_join(const struct uv_service *service);
/* uv_services: all, up to NULL. */
const struct uv_service *const *uv_services(void);
/* uv_service_of: whose file an index is; NULL: nobody's. */
const struct uv_service *uv_service_of(int index);
/* All of them, one after the other. */
void uv_services_seen(void);
void uv_services_start(void);
void uv_services_fork_child(void);
void uv_services_goodbye(void);
void uv_services_tree(struct uv_tree *t, const struct uv_sysfs_dev *dev, const char *pci,
		      int index);

#endif /* SOFTHCA_UVERBS_SERVICE_H */
