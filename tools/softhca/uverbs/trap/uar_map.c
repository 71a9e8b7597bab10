/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Doorbell pages that were mapped without our mmap(). UCX overwrites the first instructions of
 * mmap(), ours included, with a jump to its own function, which makes the system call itself. Such
 * a mapping is in /proc/self/maps as one of the device file's memfd.
 */
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>

#include "tools/softhca/uverbs/libc/libc.h"
#include "tools/softhca/uverbs/trap/trap.h"
#include "tools/softhca/uverbs/uverbs.h"

/* Parses one line. Returns the address if it is the application's view of this page. */
static char *view_of(const struct uv_obj *uar, const char *line, size_t *len)
{
	unsigned long start, end, offset, inode;
	unsigned int major_no, minor_no;
	char perms[5];

	if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu", &start, &end, perms, &offset, &major_no,
		   &minor_no, &inode) != 7)
		return NULL;
	if (inode != uar->file->st_ino || makedev(major_no, minor_no) != uar->file->st_dev ||
	    perms[1] != 'w')
		return NULL;
	/* Adjacent pages that are mapped together are one line. */
	if (uar->u.uar.offset < offset || uar->u.uar.offset - offset >= end - start)
		return NULL;
	*len = SOFTHCA_UAR_SIZE;
	return (char *)(uintptr_t)(start + (uar->u.uar.offset - offset));
}

void uv_uar_watch(struct uv_obj *uar)
{
	char line[512];
	FILE *maps;
	size_t len;
	char *at;

	if (!uv_trap_on() || uar->u.uar.watched)
		return;
	maps = uv_libc()->fopen("/proc/self/maps", "re");
	while (maps && fgets(line, sizeof(line), maps)) {
		at = view_of(uar, line, &len);
		if (!at || at == uar->u.uar.page || uv_trap_add(at, uar) ||
		    mprotect(at, len, PROT_READ))
			continue;
		softhca_uar_set_trapped(uar->hw, true);
		uar->u.uar.watched = true;
	}
	if (maps)
		fclose(maps);
}
