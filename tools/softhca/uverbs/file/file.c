/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Devices and open device files.
 *
 * The command fd is a sparse memfd, so that the mmap() of a doorbell page is a real mmap() and the
 * device keeps its own mapping of the same page. A file is recognised by its inode, so dup(),
 * fcntl(F_DUPFD) and dup2() need no interposition.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/softhca/engine/fault/fault.h"
#include "tools/softhca/engine/wire/pcap.h"
#include "tools/softhca/engine/wire/wire.h"
#include "tools/softhca/uverbs/file/file.h"
#include "tools/softhca/uverbs/libc/fdtab.h"
#include "tools/softhca/uverbs/libc/libc.h"
#include "tools/softhca/uverbs/pages.h"
#include "tools/softhca/uverbs/service.h"
#include "tools/softhca/uverbs/sysfs/sysfs.h"
#include "tools/softhca/uverbs/sysfs/sysfs_counters.h"
#include "tools/softhca/uverbs/trap/trap.h"
#include "tools/softhca/uverbs/uverbs.h"
#include "tools/softhca/engine/proc/file.h"

#ifndef SO_NETNS_COOKIE
#define SO_NETNS_COOKIE 71
#endif

/* Doorbell pages start after all offsets of the fixed mmap commands. */
#define UAR_PGOFF 0x1000
#define UAR_PAGES (64 * 32)

/* A device takes 8, a completion channel 3, and peers are met through sockets. */
#define FDS_OF_PROGRAM 16u

struct the_file the_file;

static void describe_port(const struct uv_hca *hca, unsigned int num, struct uv_sysfs_port *out)
{
	struct softhca_port_attr attr;

	memset(out, 0, sizeof(*out));
	if (softhca_port_query(hca->dev, num, &attr))
		return;
	out->ethernet = attr.link == SOFTHCA_LINK_ROCE;
	out->active = attr.state == IBV_PORT_ACTIVE;
	out->lid = attr.lid;
	out->sm_lid = attr.sm_lid;
	out->cap_mask = out->ethernet ? UV_PORT_CAPS_ROCE : SOFTHCA_PORT_CAPS_IB;
	for (unsigned int i = 0; i < UV_SYSFS_GIDS && i < attr.gid_len; i++) {
		union ibv_gid gid;
		unsigned int type;

		if (softhca_gid_query(hca->dev, num, i, &gid, &type))
			continue;
		memcpy(out->gid[i], gid.raw, 16);
		out->gid_type[i] = type ? IB_UVERBS_GID_TYPE_ROCE_V2 : IB_UVERBS_GID_TYPE_IB;
	}
}

/* Number of our network namespace. Processes of several namespaces have the same addresses. */
static unsigned long long net_namespace(void)
{
	const int fd = uv_libc()->socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	unsigned long long cookie = 0;
	socklen_t len = sizeof(cookie);
	struct stat st;

	if (fd >= 0 && getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &len) &&
	    !uv_sys_fstatat(AT_FDCWD, "/proc/self/ns/net", &st, 0))
		cookie = st.st_ino;
	if (fd >= 0)
		uv_libc()->close(fd);
	return cookie;
}

static int write_sysfs(void)
{
	struct uv_sysfs_port ports[UV_MAX_DEVICES][SOFTHCA_MAX_PORTS];
	struct uv_sysfs_dev devs[UV_MAX_DEVICES];
	char name[128];
	size_t len;

	len = (size_t)snprintf(name, sizeof(name), "%llx-%016llx" UV_TREE_MARK, net_namespace(),
			       the_file.opts.devices
				       ? (unsigned long long)softhca_dev_guid(the_file.hcas[0].dev)
				       : 0ULL);
	for (unsigned int d = 0; d < the_file.opts.devices; d++) {
		const struct softhca_config *cfg = softhca_dev_config(the_file.hcas[d].dev);

		memset(&devs[d], 0, sizeof(devs[d]));
		snprintf(devs[d].name, sizeof(devs[d].name), "%s", cfg->name);
		devs[d].node_guid = softhca_dev_guid(the_file.hcas[d].dev);
		devs[d].device_id = UV_PCI_DEVICE_ID;
		devs[d].numa_node = cfg->numa_node;
		devs[d].num_ports = (int)cfg->nports;
		devs[d].ports = ports[d];
		for (unsigned int p = 0; p < cfg->nports; p++) {
			describe_port(&the_file.hcas[d], p + 1, &ports[d][p]);
			/* The shape is part of the name, so a tree never has remains of another. */
			len += (size_t)snprintf(name + len, sizeof(name) - len, "%c",
						ports[d][p].ethernet ? 'e' : 'i');
		}
		len += (size_t)snprintf(name + len, sizeof(name) - len, ".");
	}
	the_file.sysfs_tree = uv_tree_take(the_file.opts.dir, name, the_file.sysfs_root,
					   sizeof(the_file.sysfs_root));
	if (the_file.sysfs_tree < 0)
		return the_file.sysfs_tree;
	the_file.sysfs_tree = uv_fd_hide(the_file.sysfs_tree);
	return uv_sysfs_write(the_file.sysfs_tree, devs, (int)the_file.opts.devices,
			      uv_services_tree);
}

static int create_devices(void)
{
	int err = 0;

	softhca_lock();
	for (unsigned int d = 0; d < the_file.opts.devices && !err; d++) {
		the_file.hcas[d].index = d;
		the_file.hcas[d].dm_pages = uv_libc()->mmap(
			NULL, sizeof(*the_file.hcas[d].dm_pages), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (the_file.hcas[d].dm_pages == MAP_FAILED) {
			err = -ENOMEM;
			break;
		}
		err = softhca_dev_create(&the_file.opts.cfg[d], &uv_engine_ops, &the_file.hcas[d],
					 &the_file.hcas[d].dev);
		if (err)
			fprintf(stderr, "softhca: device %s did not come up: %s\n",
				the_file.opts.cfg[d].name, softhca_why());
	}
	softhca_unlock();
	return err;
}

static int start_capture(void)
{
	struct softhca_pcap *pcap = softhca_pcap_open(the_file.opts.pcap);

	if (!pcap) {
		int err = -errno;

		fprintf(stderr, "softhca: cannot write the capture %s: %s\n", the_file.opts.pcap,
			softhca_strerror(-err));
		return err;
	}
	softhca_lock();
	softhca_wire_set_pcap(pcap);
	softhca_unlock();
	return 0;
}

static int load_faults(void)
{
	struct softhca_fault_plan *plan = uv_opts_plan(&the_file.opts);

	if (!plan)
		return -EINVAL;
	softhca_lock();
	softhca_fault_free(softhca_fault_set(plan));
	softhca_unlock();
	return 0;
}

static int start_once(void)
{
	int err = uv_opts_read(&the_file.opts);

	the_file.sysfs_tree = -1;
	if (!err)
		err = uv_trap_init(the_file.opts.trap);
	if (!err && the_file.opts.pcap)
		err = start_capture();
	if (!err && the_file.opts.faults)
		err = load_faults();
	if (!err)
		err = create_devices();
	if (!err) {
		softhca_lock();
		uv_services_start();
		err = write_sysfs();
		softhca_unlock();
		if (err) {
			fprintf(stderr, "softhca: cannot write the device tree %s: %s%s\n",
				the_file.sysfs_root, softhca_strerror(-err),
				err == -EMFILE ? "" : "; --dir names another place");
			(void)rmdir(the_file.sysfs_root);
		}
	}
	return err;
}

/* Programs read the device tree and open sockets by calls that are not seen here. */
static void count_descriptors(void)
{
	struct rlimit limit;
	unsigned int unused = 0;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	for (int fd = 0; (rlim_t)fd < limit.rlim_cur && unused < FDS_OF_PROGRAM; fd++)
		unused += fcntl(fd, F_GETFD) < 0;
	if (unused < FDS_OF_PROGRAM)
		fprintf(stderr,
			"softhca: %u more files may be open (ulimit -n), and a program with one "
			"device takes some %u: raise the limit.\n",
			unused, FDS_OF_PROGRAM);
}

/* Brings the devices up at the first use; 0 or a negative errno. Takes the lock itself. */
static int bring_up(void)
{
	int saved = errno;
	int err;

	pthread_mutex_lock(&the_file.start_lock);
	if (!the_file.started) {
		the_file.start_result = start_once();
		count_descriptors();
		the_file.started = true;
	}
	err = the_file.start_result;
	pthread_mutex_unlock(&the_file.start_lock);
	errno = saved;
	return err;
}

const char *uv_sysfs_root(void)
{
	return bring_up() ? NULL : the_file.sysfs_root;
}

unsigned int uv_num_devices(void)
{
	return bring_up() ? 0 : the_file.opts.devices;
}

int uv_device_of_inode(const struct stat *st)
{
	unsigned int n = __atomic_load_n(&the_file.num_known, __ATOMIC_ACQUIRE);

	for (unsigned int i = 0; i < n; i++)
		if (__atomic_load_n(&the_file.known[i].ino, __ATOMIC_ACQUIRE) == st->st_ino &&
		    the_file.known[i].dev == st->st_dev)
			return (int)the_file.known[i].index;
	return -1;
}

int uv_index_of(int fd)
{
	struct stat st;

	if (!__atomic_load_n(&the_file.num_known, __ATOMIC_ACQUIRE) || fd < 0 || uv_fd_hidden(fd))
		return -1;
	return uv_sys_fstat(fd, &st) ? -1 : uv_device_of_inode(&st);
}

bool uv_is_ours(int fd)
{
	const int index = uv_index_of(fd);

	return index >= 0 && index < UV_MAX_DEVICES;
}

static bool inode_know(const struct stat *st, unsigned int index)
{
	for (unsigned int i = 0; i < UV_MAX_FILES; i++) {
		if (the_file.known[i].ino)
			continue;
		the_file.known[i].dev = st->st_dev;
		the_file.known[i].index = index;
		__atomic_store_n(&the_file.known[i].ino, st->st_ino, __ATOMIC_RELEASE);
		if (i >= the_file.num_known)
			__atomic_store_n(&the_file.num_known, i + 1, __ATOMIC_RELEASE);
		return true;
	}
	return false;
}

static void inode_forget(const struct stat *st)
{
	for (unsigned int i = 0; i < the_file.num_known; i++)
		if (the_file.known[i].ino == st->st_ino && the_file.known[i].dev == st->st_dev)
			__atomic_store_n(&the_file.known[i].ino, 0, __ATOMIC_RELEASE);
	while (the_file.num_known && !the_file.known[the_file.num_known - 1].ino)
		__atomic_store_n(&the_file.num_known, the_file.num_known - 1, __ATOMIC_RELEASE);
}

/* In a forked child. */
static void forget_inodes_of_parent(void)
{
	for (unsigned int i = 0; i < the_file.num_known; i++) {
		const struct uv_service *const s = uv_service_of((int)the_file.known[i].index);

		if (!s || !s->refuses_children)
			the_file.known[i].ino = 0;
	}
	while (the_file.num_known && !the_file.known[the_file.num_known - 1].ino)
		the_file.num_known--;
}

struct uv_file *uv_files(void)
{
	return the_file.files;
}

/* Makes the memory that represents a device's file. */
static int make_memory(unsigned int index, int flags)
{
	char name[32];
	int fd;

	snprintf(name, sizeof(name), "softhca-uverbs%u", UV_CHRDEV_FIRST + index);
	fd = memfd_create(name, flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)(UAR_PGOFF + UAR_PAGES) * SOFTHCA_UAR_SIZE)) {
		int err = -errno;

		uv_libc()->close(fd);
		return err;
	}
	return fd;
}

/* libibverbs reports only the failure. One report with the reason is enough. */
static int cannot_open(const char *why, int err)
{
	if (!__atomic_exchange_n(&the_file.told, true, __ATOMIC_RELAXED))
		fprintf(stderr, "softhca: the device cannot be opened: %s\n", why);
	return err;
}

static int start_thread(void)
{
	int err;

	softhca_lock();
	err = softhca_thread_start(the_file.opts.trap);
	if (err)
		cannot_open(softhca_why(), err);
	softhca_unlock();
	return err;
}

/* Joins a file with its memory, which `fd` also names. It gets the device's own descriptor of the
 * memory, its clock, and a place among the files. Called with the lock. */
static int file_join(struct uv_file *f, int fd, struct uv_hca *hca)
{
	struct stat st;

	if (uv_sys_fstat(fd, &st))
		return -EBADF;
	f->st_dev = st.st_dev;
	f->st_ino = st.st_ino;
	f->hca = hca;
	f->map_fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (f->map_fd < 0)
		return -EMFILE;
	f->map_fd = uv_fd_hide(f->map_fd);
	if (uv_clock_start(f) || !inode_know(&st, hca->index)) {
		uv_clock_stop(f);
		uv_fd_close(f->map_fd);
		return -EMFILE;
	}
	f->next = the_file.files;
	the_file.files = f;
	return 0;
}

/* The device's own structure for a file, in addition to the program's descriptor. */
static struct uv_file *file_new(int fd, unsigned int index)
{
	struct uv_file *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->dm_pages = the_file.hcas[index].dm_pages;
	softhca_lock();
	if (file_join(f, fd, &the_file.hcas[index])) {
		free(f);
		f = NULL;
	}
	softhca_unlock();
	return f;
}

int uv_file_ready(unsigned int index)
{
	return index < uv_num_devices() ? start_thread() : -ENOENT;
}

int uv_file_rejoin(struct uv_file *f)
{
	const unsigned int index = f->hca->index;
	const int fd = make_memory(index, O_CLOEXEC);
	int err;

	if (fd < 0)
		return fd;
	err = file_join(f, fd, &the_file.hcas[index]);
	uv_libc()->close(fd);
	return err;
}

int uv_file_open(unsigned int index, int flags)
{
	int fd, err = uv_file_ready(index);

	if (err)
		return err;
	fd = make_memory(index, flags);
	if (fd < 0)
		return cannot_open(softhca_strerror(-fd), fd);
	if (!file_new(fd, index)) {
		uv_libc()->close(fd);
		return cannot_open(softhca_strerror(EMFILE), -EMFILE);
	}
	return fd;
}

struct uv_file *uv_file_of(int fd)
{
	struct stat st;

	if (!the_file.files || fd < 0 || uv_fd_hidden(fd) || uv_sys_fstat(fd, &st))
		return NULL;
	for (struct uv_file *f = the_file.files; f; f = f->next)
		if (f->st_ino == st.st_ino && f->st_dev == st.st_dev)
			return f;
	return NULL;
}

/* Descriptors above the limit exist if it was lowered. So many are checked in any case. */
#define FDS_LEAST 1024
#define FDS_MOST  (1 << 20)

static bool fd_is(int fd, const struct stat *want)
{
	struct stat st;

	return !uv_fd_hidden(fd) && !uv_sys_fstat(fd, &st) && st.st_ino == want->st_ino &&
	       st.st_dev == want->st_dev;
}

/* For use without /proc, or without a descriptor to read it with. */
static bool each_number(const struct stat *want, bool (*fn)(int fd, void *arg), void *arg)
{
	const long limit = sysconf(_SC_OPEN_MAX);
	const int most = limit < FDS_LEAST ? FDS_LEAST : limit > FDS_MOST ? FDS_MOST : (int)limit;

	for (int fd = 0; fd < most; fd++)
		if (fd_is(fd, want) && fn(fd, arg))
			return true;
	return false;
}

/* Does not use the C library's DIR, because close() must not allocate 32 KiB. */
bool uv_inode_each(const struct stat *want, bool (*fn)(int fd, void *arg), void *arg)
{
	const int dir = uv_libc()->open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_Alignas(struct dirent64) char entries[2048];
	bool done = false;
	ssize_t len;

	if (dir < 0)
		return each_number(want, fn, arg);
	while (!done && (len = getdents64(dir, entries, sizeof(entries))) > 0) {
		const struct dirent64 *ent;

		for (ssize_t at = 0; at < len && !done; at += ent->d_reclen) {
			ent = (const struct dirent64 *)(const void *)(entries + at);
			done = ent->d_name[0] != '.' && fd_is(atoi(ent->d_name), want) &&
			       fn(atoi(ent->d_name), arg);
		}
	}
	uv_libc()->close(dir);
	return done;
}

static bool is_one(int fd, void *arg)
{
	(void)fd, (void)arg;
	return true;
}

/* Called only after one of its fds was closed. */
static bool inode_open(const struct stat *want)
{
	return uv_inode_each(want, is_one, NULL);
}

int uv_open_other(int fd, const struct stat *st, unsigned int index,
		  void (*gone)(const struct stat *st))
{
	if (inode_know(st, index))
		return fd;
	gone(st);
	uv_libc()->close(fd);
	return -EMFILE;
}

int uv_close_other(int fd, void (*gone)(const struct stat *st))
{
	struct stat st;
	int ret;

	softhca_lock();
	ret = uv_sys_fstat(fd, &st);
	if (!ret)
		ret = uv_libc()->close(fd);
	if (!ret && !inode_open(&st)) {
		inode_forget(&st);
		gone(&st);
		softhca_thread_kick();
	}
	softhca_unlock();
	return ret;
}

void uv_file_closed(struct uv_file *f)
{
	const struct stat st = {.st_dev = f->st_dev, .st_ino = f->st_ino};

	if (inode_open(&st))
		return;
	for (struct uv_file **p = &the_file.files; *p; p = &(*p)->next) {
		if (*p == f) {
			*p = f->next;
			break;
		}
	}
	inode_forget(&st);
	uv_obj_destroy_all(f);
	uv_clock_stop(f);
	uv_evq_put(f->async);
	uv_fd_close(f->map_fd);
	free(f);
}

/* ---- doorbell pages -------------------------------------------------------------------------- */

int uv_page_take(struct uv_file *f, unsigned int *slot)
{
	for (unsigned int n = 0; n < UAR_PAGES; n++) {
		if (f->uar_bitmap[n / 32] >> (n % 32) & 1)
			continue;
		f->uar_bitmap[n / 32] |= 1u << (n % 32);
		*slot = n;
		return 0;
	}
	return -ENOMEM;
}

void uv_page_give(struct uv_file *f, unsigned int slot)
{
	f->uar_bitmap[slot / 32] &= ~(1u << (slot % 32));
}

uint64_t uv_page_offset(unsigned int slot)
{
	return (uint64_t)(UAR_PGOFF + slot) * SOFTHCA_UAR_SIZE;
}

/* Makes a doorbell page in a slot that is already taken: its memory and its object. */
static int uar_make(struct uv_obj *obj, unsigned int slot)
{
	obj->u.uar.offset = uv_page_offset(slot);
	return uv_uar_renew(obj);
}

int uv_uar_renew(struct uv_obj *obj)
{
	struct uv_file *const f = obj->file;
	struct softhca_uar *uar;
	void *const page = uv_libc()->mmap(NULL, SOFTHCA_UAR_SIZE, PROT_READ | PROT_WRITE,
					   MAP_SHARED, f->map_fd, (off_t)obj->u.uar.offset);
	uint32_t page_id;
	int err;

	if (page == MAP_FAILED)
		return -ENOMEM;
	memset(page, 0, SOFTHCA_UAR_SIZE);
	err = softhca_uar_create(f->hca->dev, page, &uar, &page_id);
	if (err) {
		munmap(page, SOFTHCA_UAR_SIZE);
		return err;
	}
	f->uars[obj->u.uar.offset / SOFTHCA_UAR_SIZE - UAR_PGOFF] = obj;
	obj->hw = uar;
	obj->u.uar.page = page;
	obj->u.uar.page_id = page_id;
	return 0;
}

int uv_uar_alloc(struct uv_file *f, struct uv_obj **out)
{
	struct uv_obj *obj;
	unsigned int slot;
	int err = uv_page_take(f, &slot);

	if (err)
		return err;
	obj = uv_obj_new(f, UV_UAR);
	err = obj ? uar_make(obj, slot) : -ENOMEM;
	if (err) {
		if (obj)
			uv_obj_free(obj);
		uv_page_give(f, slot);
		return err;
	}
	*out = obj;
	return 0;
}

void uv_uar_release(struct uv_obj *obj)
{
	unsigned int slot = (unsigned int)(obj->u.uar.offset / SOFTHCA_UAR_SIZE) - UAR_PGOFF;

	uv_trap_forget(obj);
	munmap(obj->u.uar.page, SOFTHCA_UAR_SIZE);
	obj->file->uars[slot] = NULL;
	uv_page_give(obj->file, slot);
}

struct softhca_uar *uv_uar_by_page(struct uv_file *f, uint32_t page_id)
{
	/* Only of this file: a page id does not give access to another file's doorbells. */
	for (unsigned int slot = 0; slot < UAR_PAGES; slot++) {
		struct uv_obj *obj = f->uars[slot];

		if (obj && obj->u.uar.page_id == page_id) {
			uv_uar_watch(obj);
			return obj->hw;
		}
	}
	return NULL;
}

struct uv_obj *uv_uar_by_offset(struct uv_file *f, uint64_t offset)
{
	const uint64_t slot = offset / SOFTHCA_UAR_SIZE - UAR_PGOFF; /* huge before them */

	return offset % SOFTHCA_UAR_SIZE || slot >= UAR_PAGES ? NULL : f->uars[slot];
}

/* ---- queries by others ---------------------------------------------------------------------- */

void uv_log_failure(const char *command, int err)
{
	const char *why = softhca_why();

	if (!err || (!the_file.opts.verbose && err != -EMFILE))
		return;
	fprintf(stderr, "softhca: %s fails: %s%s%s\n", command, softhca_strerror(-err),
		*why ? ": " : "", why);
}

bool uv_no_blueflame(void)
{
	return the_file.opts.no_bf;
}

struct uv_file *uv_fork_files(void)
{
	struct uv_file *const parents = the_file.files;
	struct uv_hca *const kept = parents ? calloc(1, sizeof(the_file.hcas)) : NULL;

	if (kept)
		memcpy(kept, the_file.hcas, sizeof(the_file.hcas));
	for (struct uv_file *f = the_file.files; f; f = f->next)
		f->hca = kept ? &kept[f->hca->index] : NULL;
	the_file.files = NULL;
	the_file.drains = false;
	forget_inodes_of_parent();
	memset(the_file.hcas, 0, sizeof(the_file.hcas));
	pthread_mutex_init(&the_file.start_lock, NULL);
	the_file.started = false;
	return parents;
}
