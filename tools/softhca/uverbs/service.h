/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Services of the kernel besides uverbs, each with its own device files, as plug-ins. A service has
 * a table of functions. The interposed calls and the life of the process use the present ones, and
 * know none by name.
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
	/* Its files have these indices (uv_index_of()), above every device's. */
	int first_index, last_index;
	/* Writes of a forked child to the parent's files come here too, to be refused. */
	bool refuses_children;
	/* index_of: index of the file that a path names, or -1. */
	int (*index_of)(const char *path);
	dev_t (*number)(int index);
	/* Without the lock: */
	int (*open)(int index, int flags);
	int (*close)(int fd);
	int (*ioctl)(int fd, unsigned long request, void *arg);
	ssize_t (*write)(int fd, const void *buf, size_t len);
	/* any_reader: whether there is a file with its own read(). Cheap. */
	bool (*any_reader)(void);
	ssize_t (*read)(int fd, void *buf, size_t len);
	/* seen: libibverbs, or a program in its place, reads the device tree now. */
	void (*seen)(void);
	/* With the lock: the devices are up, the process is a forked child, the process ends. */
	void (*start)(void);
	void (*fork_child)(void);
	void (*goodbye)(void);
	/* tree: writes its part of the device tree, once without a device, then for each one. */
	void (*tree)(struct uv_tree *t, const struct uv_sysfs_dev *dev, const char *pci, int index);
};

/* uv_service_join: called by a constructor of the plug-in. */
void uv_service_join(const struct uv_service *service);
/* uv_services: all services, up to NULL. */
const struct uv_service *const *uv_services(void);
/* uv_service_of: service of an index. NULL: there is none. */
const struct uv_service *uv_service_of(int index);
/* Calls `seen` of all services in turn. */
void uv_services_seen(void);
void uv_services_start(void);
void uv_services_fork_child(void);
void uv_services_goodbye(void);
void uv_services_tree(struct uv_tree *t, const struct uv_sysfs_dev *dev, const char *pci,
		      int index);

#endif /* SOFTHCA_UVERBS_SERVICE_H */
