/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters in sysfs. The kernel makes an attribute's text when it is read. Here it is written when
 * it is opened, and when a program reads it again through a descriptor that it has kept.
 */
#include "tools/softhca/uverbs/file/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/softhca/uverbs/cmd.h"
#include "tools/softhca/uverbs/libc/libc.h"
#include "tools/softhca/uverbs/sysfs/sysfs.h"
#include "tools/softhca/uverbs/sysfs/sysfs_counters.h"

/* A counter that was opened and may be kept. None is removed, so a reader needs no lock. */
struct kept {
	struct uv_counter_name name;
	dev_t dev;
	ino_t ino;
	struct kept *next;
};

static struct kept *first_kept(void)
{
	return __atomic_load_n(&the_file.counters, __ATOMIC_ACQUIRE);
}

static struct kept *find(const struct stat *st)
{
	struct kept *k = first_kept();

	while (k && (k->ino != st->st_ino || k->dev != st->st_dev))
		k = k->next;
	return k;
}

/* Called under the lock. If memory runs out, only newly opened counters are right. */
static void keep(const struct uv_counter_name *name, const struct stat *st)
{
	struct kept *k;

	if (find(st))
		return;
	k = calloc(1, sizeof(*k));
	if (!k)
		return;
	*k = (struct kept){*name, st->st_dev, st->st_ino, the_file.counters};
	__atomic_store_n(&the_file.counters, k, __ATOMIC_RELEASE);
}

/* Writes the present value. `st` identifies the file. False: there is no such counter. */
static bool write_value(const struct uv_counter_name *n, struct stat *st)
{
	uint64_t value;
	int err;

	for (unsigned int d = 0; d < the_file.opts.devices; d++) {
		struct softhca_dev *const dev = the_file.hcas[d].dev;

		if (dev && !strcmp(softhca_dev_config(dev)->name, n->device) &&
		    uv_counter_value(dev, n->port, n->file, &value)) {
			err = uv_sysfs_counter(the_file.sysfs_tree,
					       &(struct uv_sysfs_counter){(int)d, n->device,
									  n->port, n->file, value},
					       st);
			softhca_why_clear();
			uv_log_failure(n->file, err);
			return !err;
		}
	}
	return false;
}

void uv_counter_refresh(const char *path)
{
	struct uv_counter_name name;
	struct stat st;

	if (sscanf(path, "/sys/class/infiniband/%31[^/]/ports/%u/%63s", name.device, &name.port,
		   name.file) != 3)
		return;
	softhca_lock();
	if (write_value(&name, &st))
		keep(&name, &st);
	softhca_unlock();
}

void uv_counter_reread(int fd)
{
	const struct kept *k = first_kept();
	struct stat st;

	if (!k || uv_sys_fstat(fd, &st))
		return;
	k = find(&st);
	if (!k)
		return;
	softhca_lock();
	(void)write_value(&k->name, &st);
	softhca_unlock();
}
