/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state of the uverbs front: devices, open device files and the objects behind their handles.
 *
 * Everything here is protected by softhca_lock().
 */
#ifndef SOFTHCA_UVERBS_UVERBS_H
#define SOFTHCA_UVERBS_UVERBS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "tools/softhca/engine/engine.h"
#include "tools/softhca/uverbs/cmd.h"
#include "tools/softhca/uverbs/evq.h"

#define UV_CQE_COMP_MAX	  64 /* completions of a compressed block, as announced */
#define UV_MAX_DEVICES	  8
#define UV_OBJ_DEPS	  28
#define UV_PCI_DEVICE_ID  0x1021 /* ConnectX-7 */

/* What Ethernet ports can do. */
#define UV_PORT_CAPS_ROCE ((uint32_t)(IBV_PORT_CM_SUP | IBV_PORT_IP_BASED_GIDS))

struct uv_hca {
	unsigned int index;
	struct softhca_dev *dev;
	uint64_t *dm_pages; /* of its device memory, a bit each: in use */
};

enum uv_type {
	UV_FREE,
	UV_PD,
	UV_MR,
	UV_MW,
	UV_XRCD,
	UV_AH,
	UV_CHANNEL,
	UV_CQ,
	UV_SRQ,
	UV_QP,
	UV_UAR,
	UV_UMEM,
	UV_DEVX,
	UV_EVENT_FD,
	UV_WQ,
	UV_IND_TABLE,
	UV_FLOW,
	UV_DEVX_CHANNEL,
	UV_DM,
	UV_MATCHER,
	UV_DEVX_ASYNC,
	UV_FLOW_ACTION,
	UV_COUNTERS,
	UV_PP,
	UV_VAR,
	UV_LEFT, /* was the parent's, in a forked child */
};

/* One object behind a handle. `hw` is the engine's object and is what `type` says. */
struct uv_obj {
	struct uv_file *file;
	enum uv_type type;
	uint32_t handle;
	unsigned int users; /* objects that depend on this one */
	struct uv_obj *deps[UV_OBJ_DEPS];
	void *hw;
	uint64_t user_handle;	/* the application's pointer, echoed in events */
	struct uv_evq *channel; /* of a CQ; of a channel or an async fd, itself */
	struct uv_evq *async;	/* where it reports events; NULL: the file's first async fd */
	unsigned int comp_sent, async_sent;
	struct uv_devx_sub *subs; /* device events of this object, or told by this channel */
	union {
		struct {
			uint64_t addr, len;
			uint32_t id;
			void *map; /* of a region of a DMA buffer: where we see it */
			size_t map_len;
		} umem;
		struct {
			void *page;
			uint32_t page_id;
			uint64_t offset;
			bool watched; /* trap mode: stores of the application are seen */
			struct uv_trap_range *traps; /* where it sees the page */
		} uar;
		struct {
			void *page;
			uint64_t length;
			uint16_t first, pages;
			pid_t owner; /* a forked child may not free the parent's */
		} dm;
		struct {
			int fd; /* our end; the other is this inode */
			ino_t ino;
			dev_t dev;
		} async_cmd;
		struct {
			uint16_t index;
			bool dedicated;
			uint8_t context[0x30];
		} pp;
		struct {
			unsigned int slot;
			bool taken;
		} var;
		struct uv_xrcd_shared *xrcd;
		struct {
			uint16_t opcode;		 /* the command that made it */
			uint32_t id;			 /* what its destroy command would name */
			int kind;			 /* enum uv_devx_kind */
			struct softhca_rwq_table *table; /* a TIR's own */
			uint32_t domain;		 /* a TIS's transport domain */
		} devx;
		struct {
			uint8_t qp_type; /* enum ib_uverbs_qp_type */
			bool dct, sig_all, rss;
			struct uv_obj *shared; /* ring of those that opened the same one, or NULL */
		} qp;
		uint32_t cqe_size;
		uint32_t srq_type;
		struct {
			bool omit_data;
			uint64_t sent; /* records */
		} devx_channel;
	} u;
};

/* One open of /dev/infiniband/uverbsN: what the kernel calls a ib_uverbs_file. */
struct uv_file {
	struct uv_file *next;
	dev_t st_dev; /* identity of the memfd: a dup()ed fd has the same */
	ino_t st_ino;
	struct uv_hca *hca;
	uint64_t *dm_pages; /* hca's; in a forked child those of the parent's device */
	int map_fd; /* our own fd of the memfd */
	bool foreign; /* opened by a process that this one was forked from */
	bool ready; /* GET_CONTEXT was done */
	uint8_t cqe_version;
	struct uv_evq *async;
	struct uv_obj **objs;
	unsigned int num_objs;
	unsigned int first_free; /* no handle below it is */
	uint32_t uar_bitmap[64]; /* doorbell pages in use */
	/* by the page's place; NULL: none, or a page for something else */
	struct uv_obj *uars[64 * 32];
	struct softhca_clock *clock;
	void *clock_page;
};

/* ---- process-wide state, file.c -------------------------------------------------------------- */

/* Directory to be given to libibverbs as SYSFS_PATH, or NULL if the devices did not come up. */
const char *uv_sysfs_root(void);
unsigned int uv_num_devices(void);

/* Opens device `index`: an fd or a negative errno. */
int uv_file_open(unsigned int index, int flags);
/* True if `fd` is an open device file. Takes no lock, async-signal-safe. */
bool uv_is_ours(int fd);
/* The index of the device whose open file has this inode, or -1. Likewise. */
int uv_device_of_inode(const struct stat *st);
/* The file behind an fd, or NULL. The caller holds the lock. */
struct uv_file *uv_file_of(int fd);
/* Files that are not uverbs files are recognised the same way, by an index beyond all devices'. */
/* The index of what an fd names, or -1. As uv_is_ours(). */
int uv_index_of(int fd);
/*
 * A file that is no uverbs file and has just been opened: knows it by `index` and returns fd, or
 * takes it back and returns -EMFILE. With the lock.
 */
int uv_open_other(int fd, const struct stat *st, unsigned int index,
		  void (*gone)(const struct stat *st));
/* close() of a file that is no uverbs file; `gone` is called after the last fd, with the lock. */
int uv_close_other(int fd, void (*gone)(const struct stat *st));
/* To be called after an fd of `f` was closed: frees everything when it was the last one. */
void uv_file_closed(struct uv_file *f);
void uv_fork_child(void);

/* ---- objects, obj.c -------------------------------------------------------------------------- */

/* Makes an object and takes a handle for it; NULL if there is no memory. */
struct uv_obj *uv_obj_new(struct uv_file *f, enum uv_type type);
/* Makes an object that holds a copy of what is given, which dies with it; its handle. */
int uv_attr_make(struct uv_ioctl *io, uint16_t id, enum uv_type type, const void *what,
		 size_t size);
/* Looks up a handle of a type, or NULL. */
struct uv_obj *uv_obj_get(struct uv_file *f, enum uv_type type, uint32_t handle);
/* Records that `obj` needs `on` (which may be NULL). */
void uv_obj_depend(struct uv_obj *obj, struct uv_obj *on);
/* Drops one dependency again. */
void uv_obj_undepend(struct uv_obj *obj, struct uv_obj *on);
/* Frees the handle and its dependencies; the engine's object must be gone. */
void uv_obj_free(struct uv_obj *obj);
/* Destroys the engine's object and the handle: 0, -EBUSY, ... */
int uv_obj_destroy(struct uv_obj *obj);
/* Destroys all objects of a file, dependants first. */
void uv_obj_destroy_all(struct uv_file *f);

/* ---- events, event.c ------------------------------------------------------------------------- */

extern const struct softhca_ops uv_engine_ops;
/* How many events of `obj` the application has read; unread ones vanish. */
unsigned int uv_comp_events_reported(struct uv_obj *cq);
unsigned int uv_async_events_reported(struct uv_obj *obj);
/* Makes an async fd: its number or a negative errno. */
int uv_event_fd_create(struct uv_file *f);
/* Throws away those whose fd the application has closed, DEVX event channels too. */
void uv_event_fd_collect(struct uv_file *f);
/* The queue behind an async fd, or NULL. */
struct uv_evq *uv_event_fd_find(struct uv_file *f, int fd);
struct uv_file *uv_files(void);

/* ---- driver pieces shared by write commands and DEVX ----------------------------------------- */

/* Allocates a doorbell page; answers its object or a negative errno. */
int uv_uar_alloc(struct uv_file *f, struct uv_obj **out);
/* Takes one of the pages that a program maps by a number of ours; -ENOMEM. */
int uv_page_take(struct uv_file *f, unsigned int *slot);
void uv_page_give(struct uv_file *f, unsigned int slot);
uint64_t uv_page_offset(unsigned int slot);
void uv_uar_release(struct uv_obj *uar);
int uv_xrcd_release(struct uv_obj *xrcd);
int uv_qp_release(struct uv_obj *qp);
int uv_devx_release(struct uv_obj *obj);
void uv_devx_async_release(struct uv_obj *ch);
/* Trap mode: looks for the application's view of a page if its mmap() was not seen. */
void uv_uar_watch(struct uv_obj *uar);
struct softhca_uar *uv_uar_by_page(struct uv_file *f, uint32_t page_id);

#endif /* SOFTHCA_UVERBS_UVERBS_H */
