/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A forked child's use of the device that its parent has opened.
 *
 * The kernel lets it use the ioctl path. The child's objects are in the child's own memory (Linux
 * drivers/infiniband/core/umem.c, ib_umem_get()), and the doorbell pages are mapped there, too
 * (uverbs_main.c, rdma_umap_open()). The kernel refuses write(), because the child has credentials
 * of its own (ib_uverbs_write()). In softhca the parent's device is in the parent. So the child
 * gets a device, and its first command moves the open file to it: with the same descriptors,
 * doorbell pages, protection domains, event channels and device memory. All other objects of the
 * parent use the parent's memory and stay behind.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "tools/softhca/uverbs/evq.h"
#include "tools/softhca/uverbs/file/file.h"
#include "tools/softhca/uverbs/libc/fdtab.h"
#include "tools/softhca/uverbs/libc/libc.h"
#include "tools/softhca/uverbs/pages.h"
#include "tools/softhca/uverbs/service.h"
#include "tools/softhca/uverbs/trap/trap.h"
#include "tools/softhca/uverbs/uverbs.h"

static const struct uv_file_name *name_of(int fd)
{
	struct stat st;

	if (!the_file.num_names || fd < 0 || uv_sys_fstat(fd, &st))
		return NULL;
	for (unsigned int i = 0; i < the_file.num_names; i++)
		if (the_file.names[i].ino == st.st_ino && the_file.names[i].dev == st.st_dev)
			return &the_file.names[i];
	return NULL;
}

bool uv_file_is_parents(int fd)
{
	return name_of(fd) != NULL;
}

struct uv_file *uv_file_inherited(int fd)
{
	struct stat st;

	if (!the_file.inherited || fd < 0 || uv_sys_fstat(fd, &st))
		return NULL;
	for (struct uv_file *f = the_file.inherited; f; f = f->next)
		if (f->st_ino == st.st_ino && f->st_dev == st.st_dev) {
			f->map_fd = fd; /* the device's own is closed in a child */
			return f;
		}
	return NULL;
}

static void remember_names(void)
{
	the_file.num_names = 0;
	for (const struct uv_file *f = the_file.inherited; f && the_file.num_names < UV_MAX_FILES;
	     f = f->next)
		the_file.names[the_file.num_names++] = (struct uv_file_name){f->st_dev, f->st_ino,
									     f->hca};
}

/* Doorbell pages and sockets are shared with the parent. A device in the child uses neither. */
void uv_fork_child(void)
{
	struct uv_file **tail = &the_file.inherited;
	struct uv_file *const parents = uv_fork_files();

	softhca_fork_child();
	uv_services_fork_child();
	while (*tail)
		tail = &(*tail)->next;
	*tail = parents;
	for (struct uv_file *f = parents; f; f = f->next)
		f->foreign = true;
	remember_names();
	uv_fd_close_all();
	uv_trap_reset();
}

/* ---- the program's views of the pages -------------------------------------------------------- */

struct view {
	char *at;
	size_t len;
	uint64_t offset;
};

/* Parses one line of /proc/self/maps. Returns whether it is of a file with these numbers. */
static bool view_of(const char *line, const struct stat *st, struct view *v)
{
	unsigned long start, end, offset, inode;
	unsigned int major_no, minor_no;

	if (sscanf(line, "%lx-%lx %*s %lx %x:%x %lu", &start, &end, &offset, &major_no, &minor_no,
		   &inode) != 6 ||
	    inode != st->st_ino || makedev(major_no, minor_no) != st->st_dev)
		return false;
	*v = (struct view){(char *)(uintptr_t)start, end - start, offset};
	return true;
}

/* Doorbells and clocks move. Device memory stays in place, so that the parent's part is seen. */
static void move_view(struct uv_file *f, const struct view *v)
{
	for (size_t at = 0; at < v->len; at += SOFTHCA_UAR_SIZE) {
		const uint64_t offset = v->offset + at;
		int prot = uv_page_is_clock(offset) ? PROT_READ : PROT_READ | PROT_WRITE;

		if (prot == PROT_READ || uv_uar_by_offset(f, offset))
			(void)uv_libc()->mmap(v->at + at, SOFTHCA_UAR_SIZE, prot,
					      MAP_SHARED | MAP_FIXED, f->map_fd, (off_t)offset);
	}
}

/* Moves from the parent's pages, with the numbers `old`, to the child's at the same places. */
static void move_views(struct uv_file *f, const struct stat *old)
{
	FILE *const maps = uv_libc()->fopen("/proc/self/maps", "re");
	char line[512];
	struct view v;

	while (maps && fgets(line, sizeof(line), maps))
		if (view_of(line, old, &v))
			move_view(f, &v);
	if (maps)
		fclose(maps);
}

static bool move_fd(int fd, void *arg)
{
	const struct uv_file *const f = arg;

	(void)dup3(f->map_fd, fd, fcntl(fd, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0);
	return false;
}

/* ---- objects --------------------------------------------------------------------------------- */

static int renew_pd(struct uv_obj *pd)
{
	struct softhca_pd *hw;
	int err;

	softhca_next_numbers(pd->file->hca->dev, pd->u.umem.id, 0);
	err = softhca_pd_create(pd->file->hca->dev, &hw, &pd->u.umem.id);
	pd->hw = err ? NULL : hw;
	return err;
}

static int renew_uar(struct uv_obj *uar)
{
	munmap(uar->u.uar.page, SOFTHCA_UAR_SIZE);
	uar->u.uar.traps = NULL;
	uar->u.uar.watched = false;
	softhca_next_numbers(uar->file->hca->dev, 0, uar->u.uar.page_id);
	return uv_uar_renew(uar);
}

/* The handle stays taken, but has no meaning any more. */
static void leave_behind(struct uv_obj *obj)
{
	obj->type = UV_LEFT;
	obj->hw = NULL;
	obj->subs = NULL;
	obj->u.xrcd = NULL;
}

static int renew(struct uv_obj *obj)
{
	switch (obj->type) {
	case UV_PD:
		return renew_pd(obj);
	case UV_UAR:
		return renew_uar(obj);
	case UV_DM:
		return 0;
	case UV_CHANNEL:
	case UV_EVENT_FD:
		return uv_evq_renew(obj->channel);
	default:
		leave_behind(obj);
		return 0;
	}
}

/* An object without the objects that it needs is left behind, too. */
static void renew_all(struct uv_file *f)
{
	for (unsigned int i = 0; i < f->num_objs; i++)
		if (f->objs[i] && renew(f->objs[i])) {
			if (f->objs[i]->type == UV_UAR)
				f->uars[i] = NULL;
			leave_behind(f->objs[i]);
		}
}

static void watch_all(struct uv_file *f)
{
	for (unsigned int i = 0; i < f->num_objs; i++)
		if (f->objs[i] && f->objs[i]->type == UV_UAR)
			uv_uar_watch(f->objs[i]);
}

static void forget(struct uv_file *f)
{
	for (struct uv_file **p = &the_file.inherited; *p; p = &(*p)->next)
		if (*p == f) {
			*p = f->next;
			return;
		}
}

/* The device's own views go first. The parent's pages that are then left are the program's. */
static int adopt(struct uv_file *f)
{
	const struct stat old = {.st_dev = f->st_dev, .st_ino = f->st_ino};
	struct uv_hca *const parents = f->hca;
	int err;

	forget(f);
	uv_clock_leave(f);
	err = uv_file_rejoin(f);
	if (err) { /* perhaps later */
		f->st_dev = old.st_dev;
		f->st_ino = old.st_ino;
		f->hca = parents;
		f->next = the_file.inherited;
		the_file.inherited = f;
		return err;
	}
	(void)uv_inode_each(&old, move_fd, f);
	renew_all(f);
	move_views(f, &old);
	watch_all(f);
	return 0;
}

int uv_file_adopt(int fd)
{
	const struct uv_file_name *const name = name_of(fd);
	struct uv_file *f;
	int err;

	if (!name)
		return 0; /* another thread was faster */
	err = name->hca ? uv_file_ready(name->hca->index) : -EIO;
	if (err)
		return err;
	softhca_lock();
	f = uv_file_inherited(fd); /* unless another thread has done it */
	err = f ? adopt(f) : 0;
	softhca_unlock();
	return err;
}
