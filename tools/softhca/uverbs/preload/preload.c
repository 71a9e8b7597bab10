/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The interposed C library calls. They are loaded with LD_PRELOAD, or linked into a program.
 *
 * Each one makes a cheap check first ("can this be ours?") and is otherwise the real call. In a
 * program without a device, nothing here may allocate or lock on the way to the real call.
 */
/* These functions are defined here: no fortified inline versions, no redirection to *64. */
#undef _FORTIFY_SOURCE
#undef _FILE_OFFSET_BITS
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "tools/softhca/uverbs/libc/fdtab.h"
#include "tools/softhca/uverbs/libc/libc.h"
#include "tools/softhca/uverbs/evq.h"
#include "tools/softhca/uverbs/file/file.h"
#include "tools/softhca/uverbs/trap/memic.h"
#include "tools/softhca/uverbs/pages.h"
#include "tools/softhca/uverbs/preload/preload.h"
#include "tools/softhca/uverbs/service.h"
#include "tools/softhca/uverbs/sysfs/sysfs.h"
#include "tools/softhca/uverbs/trap/trap.h"
#include "tools/softhca/uverbs/preload/wait.h"
#include "tools/softhca/uverbs/uverbs.h"

#define EXPORT		    __attribute__((visibility("default")))
#define CDEV_FOLDER	    "/dev/infiniband/"
#define CDEV_PREFIX	    CDEV_FOLDER UV_CHRDEV_NAME
#define NETLINK_RDMA_FAMILY 20

/* Parameters that <stdlib.h> and others declare nonnull can still be NULL by a caller's bug. */
static const char *maybe_null(const char *path)
{
	__asm__("" : "+r"(path));
	return path;
}

/* Device that a path names, or -1. */
static int cdev_index(const char *path)
{
	char *end;
	unsigned long n;

	path = maybe_null(path);
	if (!path || strncmp(path, CDEV_FOLDER, sizeof(CDEV_FOLDER) - 1))
		return -1;
	for (const struct uv_service *const *s = uv_services(); *s; s++) {
		const int index = (*s)->index_of(path);

		if (index >= 0)
			return index;
	}
	if (strncmp(path, CDEV_PREFIX, sizeof(CDEV_PREFIX) - 1))
		return -1;
	path += sizeof(CDEV_PREFIX) - 1;
	n = strtoul(path, &end, 10);
	if (end == path || *end || n < UV_CHRDEV_FIRST || n - UV_CHRDEV_FIRST >= uv_num_devices())
		return -1;
	return (int)(n - UV_CHRDEV_FIRST);
}

#define CLASSES "/sys/class/"

static bool is_below(const char *path, const char *folder)
{
	const size_t len = strlen(folder);

	return !strncmp(path, folder, len) && (!path[len] || path[len] == '/');
}

static bool in_our_class(const char *path)
{
	bool found = is_below(path, "infiniband") || is_below(path, "infiniband_verbs");

	for (const struct uv_service *const *s = uv_services(); *s && !found; s++)
		found = is_below(path, (*s)->sysfs_class);
	return found;
}

/*
 * Some programs read /sys/class/infiniband/<device> themselves instead of asking libibverbs. Paths
 * of our devices are redirected to our tree. Returns the path to use.
 */
const char *uv_redirect(const char *path, char buf[PATH_MAX])
{
	const char *root;

	path = maybe_null(path);
	if (!path || strncmp(path, CLASSES, strlen(CLASSES)) ||
	    !in_our_class(path + strlen(CLASSES)))
		return path;
	root = uv_sysfs_root();
	if (!root || uv_num_devices() == 0 ||
	    (size_t)snprintf(buf, PATH_MAX, "%s%s", root, path + strlen("/sys")) >= PATH_MAX)
		return path;
	uv_counter_refresh(path);
	return buf;
}

/* ---- opening --------------------------------------------------------------------------------- */

static int open_ours(int index, int flags)
{
	const struct uv_service *const s = uv_service_of(index);

	return s ? s->open(index, flags) : uv_file_open((unsigned int)index, flags);
}

static int open_common(int dirfd, const char *path, int flags, mode_t mode)
{
	char buf[PATH_MAX];
	int index = cdev_index(path);

	if (index >= 0) {
		int fd = open_ours(index, flags);

		if (fd >= 0)
			return fd;
		errno = -fd;
		return -1;
	}
	return uv_libc()->openat(dirfd, uv_redirect(path, buf), flags, mode);
}

static mode_t open_mode(int flags, va_list ap)
{
	return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(ap, mode_t) : 0;
}

/* Differences of open() and openat(): the starting folder, and the parameters before the mode. */
#define DEFINE_OPEN(name, from, ...)                         \
	EXPORT int name(__VA_ARGS__, ...)                    \
	{                                                    \
		va_list ap;                                  \
		mode_t mode;                                 \
                                                             \
		va_start(ap, flags);                         \
		mode = open_mode(flags, ap);                 \
		va_end(ap);                                  \
		return open_common(from, path, flags, mode); \
	}
DEFINE_OPEN(open, AT_FDCWD, const char *path, int flags)
DEFINE_OPEN(open64, AT_FDCWD, const char *path, int flags)
DEFINE_OPEN(openat, dirfd, int dirfd, const char *path, int flags)
DEFINE_OPEN(openat64, dirfd, int dirfd, const char *path, int flags)

EXPORT int __open_2(const char *path, int flags)
{
	return open_common(AT_FDCWD, path, flags, 0);
}

EXPORT int __open64_2(const char *path, int flags)
{
	return open_common(AT_FDCWD, path, flags, 0);
}

EXPORT int __openat_2(int dirfd, const char *path, int flags)
{
	return open_common(dirfd, path, flags, 0);
}

EXPORT int __openat64_2(int dirfd, const char *path, int flags)
{
	return open_common(dirfd, path, flags, 0);
}

EXPORT FILE *fopen(const char *path, const char *mode)
{
	char buf[PATH_MAX];

	return uv_libc()->fopen(uv_redirect(path, buf), mode);
}

EXPORT FILE *fopen64(const char *path, const char *mode)
{
	return fopen(path, mode);
}

EXPORT DIR *opendir(const char *path)
{
	char buf[PATH_MAX];

	return uv_libc()->opendir(uv_redirect(path, buf));
}

EXPORT ssize_t readlink(const char *path, char *out, size_t size)
{
	char buf[PATH_MAX];

	return uv_libc()->readlink(uv_redirect(path, buf), out, size);
}

EXPORT char *realpath(const char *path, char *resolved)
{
	char buf[PATH_MAX];

	return uv_libc()->realpath(uv_redirect(path, buf), resolved);
}

EXPORT char *__realpath_chk(const char *path, char *resolved, size_t size)
{
	uv_fortify(PATH_MAX, size);
	return realpath(path, resolved);
}

/* ---- stat and access ------------------------------------------------------------------------- */

static dev_t cdev_number(unsigned int index)
{
	const struct uv_service *const s = uv_service_of((int)index);

	return s ? s->number((int)index) : makedev(UV_CHRDEV_MAJOR, UV_CHRDEV_MINOR + index);
}

static void as_cdev(struct stat *st, unsigned int index)
{
	st->st_mode = S_IFCHR | 0666;
	st->st_rdev = cdev_number(index);
	st->st_size = 0;
	st->st_blocks = 0;
}

static int fd_stat(int fd, struct stat *st)
{
	int ret = uv_sys_fstat(fd, st);
	int index = ret ? -1 : uv_device_of_inode(st);

	if (index >= 0)
		as_cdev(st, (unsigned int)index);
	return ret;
}

static int path_stat(int dirfd, const char *path, struct stat *st, int flags)
{
	char buf[PATH_MAX];
	int index = cdev_index(path);

	if (index >= 0) {
		memset(st, 0, sizeof(*st));
		st->st_nlink = 1;
		st->st_blksize = 4096;
		st->st_ino = (ino_t)(UV_CHRDEV_MINOR + index);
		as_cdev(st, (unsigned int)index);
		return 0;
	}
	if (path && !*path && (flags & AT_EMPTY_PATH))
		return fd_stat(dirfd, st);
	return uv_sys_fstatat(dirfd, uv_redirect(path, buf), st, flags);
}

/* On 64-bit machines struct stat64 is struct stat under another name. */
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "64-bit machines only");

EXPORT int stat(const char *path, struct stat *st)
{
	return path_stat(AT_FDCWD, path, st, 0);
}

EXPORT int stat64(const char *path, struct stat64 *st)
{
	return path_stat(AT_FDCWD, path, (struct stat *)st, 0);
}

EXPORT int lstat(const char *path, struct stat *st)
{
	return path_stat(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}

EXPORT int lstat64(const char *path, struct stat64 *st)
{
	return path_stat(AT_FDCWD, path, (struct stat *)st, AT_SYMLINK_NOFOLLOW);
}

EXPORT int fstat(int fd, struct stat *st)
{
	return fd_stat(fd, st);
}

EXPORT int fstat64(int fd, struct stat64 *st)
{
	return fd_stat(fd, (struct stat *)st);
}

EXPORT int fstatat(int dirfd, const char *path, struct stat *st, int flags)
{
	return path_stat(dirfd, path, st, flags);
}

EXPORT int fstatat64(int dirfd, const char *path, struct stat64 *st, int flags)
{
	return path_stat(dirfd, path, (struct stat *)st, flags);
}

/* Calls of programs built against glibc before 2.33. The version has no meaning on 64 bit. */
#define DEFINE_XSTAT(name, params, call) \
	EXPORT int name params;          \
	EXPORT int name params           \
	{                                \
		(void)ver;               \
		return call;             \
	}
DEFINE_XSTAT(__xstat, (int ver, const char *p, struct stat *st), path_stat(AT_FDCWD, p, st, 0))
DEFINE_XSTAT(__xstat64, (int ver, const char *p, struct stat *st), path_stat(AT_FDCWD, p, st, 0))
DEFINE_XSTAT(__lxstat, (int ver, const char *p, struct stat *st),
	     path_stat(AT_FDCWD, p, st, AT_SYMLINK_NOFOLLOW))
DEFINE_XSTAT(__lxstat64, (int ver, const char *p, struct stat *st),
	     path_stat(AT_FDCWD, p, st, AT_SYMLINK_NOFOLLOW))
DEFINE_XSTAT(__fxstat, (int ver, int fd, struct stat *st), fd_stat(fd, st))
DEFINE_XSTAT(__fxstat64, (int ver, int fd, struct stat *st), fd_stat(fd, st))
DEFINE_XSTAT(__fxstatat, (int ver, int d, const char *p, struct stat *st, int flags),
	     path_stat(d, p, st, flags))
DEFINE_XSTAT(__fxstatat64, (int ver, int d, const char *p, struct stat *st, int flags),
	     path_stat(d, p, st, flags))

EXPORT int statx(int dirfd, const char *path, int flags, unsigned int mask, struct statx *stx)
{
	char buf[PATH_MAX];
	int index = cdev_index(path);

	if (index >= 0) {
		memset(stx, 0, sizeof(*stx));
		stx->stx_mask = STATX_BASIC_STATS;
		stx->stx_mode = S_IFCHR | 0666;
		stx->stx_nlink = 1;
		stx->stx_rdev_major = major(cdev_number((unsigned int)index));
		stx->stx_rdev_minor = minor(cdev_number((unsigned int)index));
		return 0;
	}
	return (int)syscall(SYS_statx, dirfd, uv_redirect(path, buf), flags, mask, stx);
}

EXPORT int access(const char *path, int mode)
{
	char buf[PATH_MAX];

	if (cdev_index(path) >= 0)
		return 0;
	return uv_libc()->access(uv_redirect(path, buf), mode);
}

EXPORT int faccessat(int dirfd, const char *path, int mode, int flags)
{
	char buf[PATH_MAX];

	if (cdev_index(path) >= 0)
		return 0;
	return uv_libc()->faccessat(dirfd, uv_redirect(path, buf), mode, flags);
}

EXPORT int euidaccess(const char *path, int mode)
{
	return faccessat(AT_FDCWD, path, mode, AT_EACCESS);
}

EXPORT int eaccess(const char *path, int mode)
{
	return faccessat(AT_FDCWD, path, mode, AT_EACCESS);
}

/* ---- commands -------------------------------------------------------------------------------- */

static int result(int err)
{
	if (!err)
		return 0;
	errno = -err;
	return -1;
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
	const struct uv_service *s;
	struct uv_file *f;
	bool inherited;
	va_list ap;
	void *arg;
	int err;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	s = _IOC_TYPE(request) == RDMA_IOCTL_MAGIC ? uv_service_of(uv_index_of(fd)) : NULL;
	if (s && s->ioctl)
		return result(s->ioctl(fd, request, arg));
	if (request != RDMA_VERBS_IOCTL)
		return uv_libc()->ioctl(fd, request, arg);
	inherited = uv_file_is_parents(fd); /* checked first, as in write() */
	if (!inherited && !uv_is_ours(fd))
		return uv_libc()->ioctl(fd, request, arg);
	err = inherited && !uv_ioctl_is_shared((uint64_t)(uintptr_t)arg) ? uv_file_adopt(fd) : 0;
	if (err)
		return result(err);
	softhca_lock();
	f = uv_file_inherited(fd);
	f = f ? f : uv_file_of(fd);
	err = f ? uv_ioctl_run(f, (uint64_t)(uintptr_t)arg) : -EBADF;
	softhca_thread_kick();
	softhca_unlock();
	return result(err);
}

EXPORT ssize_t write(int fd, const void *buf, size_t len)
{
	/* checked first: it may be moved in the meantime, and have an index then */
	const bool inherited = uv_file_is_parents(fd);
	const int index = uv_index_of(fd);
	const struct uv_service *s;
	struct uv_file *f;
	ssize_t done;

	if (uv_fd_hidden(fd)) {
		errno = EBADF;
		return -1;
	}
	if (index < 0 && !inherited)
		return uv_libc()->write(fd, buf, len);
	s = uv_service_of(index);
	if (s) {
		done = s->write(fd, buf, len);
	} else {
		softhca_lock();
		f = uv_file_inherited(fd);
		f = f ? f : uv_file_of(fd);
		done = !f ? -EBADF : f->foreign ? -EACCES : uv_cmd_write(f, buf, len);
		softhca_thread_kick();
		softhca_unlock();
	}
	if (done < 0) {
		errno = (int)-done;
		return -1;
	}
	return done;
}

/* Service with its own function to read this file. Most processes have none. */
static const struct uv_service *reader_of(int fd)
{
	const struct uv_service *const *any = uv_services(), *s;

	while (*any && !((*any)->any_reader && (*any)->any_reader()))
		any++;
	if (!*any)
		return NULL;
	s = uv_service_of(uv_index_of(fd));
	return s && s->read ? s : NULL;
}

EXPORT ssize_t read(int fd, void *buf, size_t len)
{
	const struct uv_service *s;
	ssize_t done;

	if (uv_evq_known(fd)) {
		struct pollfd wait = {.fd = fd, .events = POLLIN};
		const int flags = fcntl(fd, F_GETFL);

		uv_wait_readable(&wait, 1, flags >= 0 && flags & O_NONBLOCK ? 0 : -1);
	}
	/* Only management datagrams differ from the result of read(). */
	s = reader_of(fd);
	if (!s) {
		uv_counter_reread(fd);
		return uv_libc()->read(fd, buf, len);
	}
	done = s->read(fd, buf, len);
	if (done < 0) {
		errno = (int)-done;
		return -1;
	}
	return done;
}

EXPORT ssize_t __read_chk(int fd, void *buf, size_t len, size_t room);
EXPORT ssize_t __read_chk(int fd, void *buf, size_t len, size_t room)
{
	uv_fortify(len, room);
	return read(fd, buf, len);
}

/* Reads a counter again without seeking back first. */
EXPORT ssize_t pread(int fd, void *buf, size_t len, off_t at)
{
	uv_counter_reread(fd);
	return uv_libc()->pread(fd, buf, len, at);
}

EXPORT ssize_t pread64(int fd, void *buf, size_t len, off_t at)
{
	return pread(fd, buf, len, at);
}

EXPORT ssize_t __pread_chk(int fd, void *buf, size_t len, off_t at, size_t room);
EXPORT ssize_t __pread_chk(int fd, void *buf, size_t len, off_t at, size_t room)
{
	uv_fortify(len, room);
	return pread(fd, buf, len, at);
}

EXPORT ssize_t __pread64_chk(int fd, void *buf, size_t len, off_t at, size_t room);
EXPORT ssize_t __pread64_chk(int fd, void *buf, size_t len, off_t at, size_t room)
{
	return __pread_chk(fd, buf, len, at, room);
}

EXPORT int close(int fd)
{
	const int index = uv_index_of(fd);
	const struct uv_service *s;
	struct uv_file *f;
	int ret;

	if (uv_fd_hidden(fd)) {
		errno = EBADF;
		return -1;
	}
	uv_evq_fd_closed(fd);
	if (index < 0)
		return uv_libc()->close(fd);
	s = uv_service_of(index);
	if (s)
		return s->close(fd);
	softhca_lock();
	f = uv_file_of(fd);
	ret = uv_libc()->close(fd);
	if (f)
		uv_file_closed(f);
	softhca_unlock();
	return ret;
}

EXPORT int socket(int domain, int type, int protocol)
{
	/* libibverbs asks netlink first. On a machine with real devices that would hide ours. */
	if (domain == AF_NETLINK && protocol == NETLINK_RDMA_FAMILY && uv_num_devices()) {
		errno = EPROTONOSUPPORT;
		return -1;
	}
	return uv_libc()->socket(domain, type, protocol);
}

/* Maps a page at which each access is an operation on device memory. */
static void *map_operation(void *addr, size_t len, int flags, int fd, off_t off)
{
	struct uv_file *const f = uv_file_of(fd);
	const int64_t index = uv_dm_index((uint64_t)off);
	struct uv_obj *dm = NULL;
	unsigned int op;
	void *page;

	if (f && index >= 0)
		dm = uv_memic_find(f, (uint64_t)index, &op);
	if (!dm || len > (size_t)dm->u.dm.pages * SOFTHCA_UAR_SIZE)
		return NULL;
	page = uv_libc()->mmap(addr, len, PROT_NONE, flags, fd, off);
	if (page != MAP_FAILED && !uv_memic_mapped(page, len, dm, op)) {
		munmap(page, len);
		errno = EOPNOTSUPP;
		return MAP_FAILED;
	}
	return page;
}

static void *map_common(void *addr, size_t len, int prot, int flags, int fd, off_t off)
{
	struct uv_obj *uar = NULL;
	struct uv_file *f;
	void *page;

	if ((flags & MAP_ANONYMOUS) || !uv_is_ours(fd))
		return uv_map_over(&(struct uv_map){addr, len, prot, flags, fd, off});
	softhca_lock();
	page = map_operation(addr, len, flags, fd, off);
	if (page) {
		softhca_unlock();
		return page;
	}
	f = uv_file_of(fd);
	if (f)
		uar = uv_uar_by_offset(f, (uint64_t)off);
	if (f && (uar ? len > SOFTHCA_UAR_SIZE : !uv_page_mappable(f, (uint64_t)off, len, prot))) {
		/* Several doorbell pages may be mapped at once. Other commands give EINVAL. */
		softhca_unlock();
		errno = EINVAL;
		return MAP_FAILED;
	}
	if (uar && uv_trap_on())
		prot = PROT_READ;
	page = uv_libc()->mmap(addr, len, prot, flags, fd, off);
	if (uar && uv_trap_on() && page != MAP_FAILED) {
		if (uv_trap_add(page, uar)) {
			munmap(page, len);
			softhca_unlock();
			errno = ENOMEM;
			return MAP_FAILED;
		}
		softhca_uar_set_trapped(uar->hw, true);
		uar->u.uar.watched = true;
	}
	softhca_unlock();
	return page;
}

EXPORT void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t off)
{
	return map_common(addr, len, prot, flags, fd, off);
}

EXPORT void *mmap64(void *addr, size_t len, int prot, int flags, int fd, off64_t off)
{
	return map_common(addr, len, prot, flags, fd, off);
}

/* ---- environment and signals ----------------------------------------------------------------- */

/*
 * When libibverbs asks for the place of sysfs, the program needs devices, so they are opened. A
 * program that never asks (a shell in a pipeline) never claims an address.
 */
static char *sysfs_path(void)
{
	const char *root = uv_sysfs_root();

	if (root)
		uv_services_seen();
	return (char *)(uintptr_t)root;
}

/* DPDK's name for the place of the PCI bus. Ours has only the devices of softhca. */
static char *sysfs_pci_devices(void)
{
	const char *root = uv_num_devices() ? sysfs_path() : NULL;

	if (!root)
		return NULL;
	snprintf(the_preload.path, sizeof(the_preload.path), "%s/bus/pci/devices", root);
	return the_preload.path;
}

EXPORT char *getenv(const char *name)
{
	char *value = uv_libc()->getenv(name);

	if (value)
		return value;
	if (!strcmp(name, "SYSFS_PATH"))
		return sysfs_path();
	return strcmp(name, "SYSFS_PCI_DEVICES") ? NULL : sysfs_pci_devices();
}

EXPORT int sigaction(int sig, const struct sigaction *act, struct sigaction *old)
{
	int ret;

	if (uv_trap_sigaction(sig, act, old, &ret))
		return ret;
	return uv_libc()->sigaction(sig, act, old);
}

EXPORT sighandler_t signal(int sig, sighandler_t handler)
{
	struct sigaction act, old;

	memset(&act, 0, sizeof(act));
	act.sa_handler = handler;
	act.sa_flags = SA_RESTART;
	return sigaction(sig, &act, &old) ? SIG_ERR : old.sa_handler;
}

/* Signals of the mask that the program may change. */
static const sigset_t *without_ours(int how, const sigset_t *set, sigset_t *mine)
{
	if (set)
		softhca_copy_changed();
	if (!set || how == SIG_UNBLOCK)
		return set;
	*mine = *set;
	uv_trap_unblock(mine);
	return mine;
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	sigset_t mine;

	return uv_libc()->sigprocmask(how, without_ours(how, set, &mine), old);
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	sigset_t mine;

	return uv_libc()->pthread_sigmask(how, without_ours(how, set, &mine), old);
}

/* ---- fork ------------------------------------------------------------------------------------ */

static void before_fork(void)
{
	softhca_lock();
}

static void after_fork_parent(void)
{
	softhca_unlock();
}

__attribute__((constructor)) static void preload_init(void)
{
	(void)uv_libc();
	pthread_atfork(before_fork, after_fork_parent, uv_fork_child);
}
