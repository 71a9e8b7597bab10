/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * State of the uverbs front: devices, open device files and the objects of their handles.
 *
 * softhca_lock() protects all of it.
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

#define UV_CQE_COMP_MAX	  64 /* completions of a compressed block, as reported */
#define UV_MAX_DEVICES	  8
#define UV_OBJ_DEPS	  28
#define UV_PCI_DEVICE_ID  0x1021 /* ConnectX-7 */

/* Capabilities of Ethernet ports. */
#define UV_PORT_CAPS_ROCE ((uint32_t)(IBV_PORT_CM_SUP | IBV_PORT_IP_BASED_GIDS))

struct uv_hca {
	unsigned int index;
	struct softhca_dev *dev;
	uint64_t *dm_pages; /* of its device memory, one bit each: in use */
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
	UV_LEFT, /* the parent's, in a forked child */
};

/* Object of a handle. `hw` is the engine's object, and `type` gives its kind. */
struct uv_obj {
	struct uv_file *file;
	enum uv_type type;
	uint32_t handle;
	unsigned int users; /* objects that depend on this one */
	struct uv_obj *deps[UV_OBJ_DEPS];
	void *hw;
	uint64_t user_handle;	/* the application's pointer, echoed in events */
	struct uv_evq *channel; /* of a CQ. A channel or an async fd has itself here */
	struct uv_evq *async;	/* queue for its events. NULL: the file's first async fd */
	unsigned int comp_sent, async_sent;
	struct uv_devx_sub *subs; /* device events of this object, or reported by this channel */
	union {
		struct {
			uint64_t addr, len;
			uint32_t id;
			void *map; /* of a DMA buffer: our mapping */
			size_t map_len;
		} umem;
		struct {
			void *page;
			uint32_t page_id;
			uint64_t offset;
			bool watched; /* trap mode: stores of the application are seen */
			struct uv_trap_range *traps; /* the application's views of the page */
		} uar;
		struct {
			void *page;
			uint64_t length;
			uint16_t first, pages;
			pid_t owner; /* a forked child may not free the parent's */
		} dm;
		struct {
			int fd; /* our end of a socket pair. `ino` and `dev` name the other end */
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
			uint16_t opcode;		 /* command that made it */
			uint32_t id;			 /* number in its destroy command */
			int kind;			 /* enum uv_devx_kind */
			struct softhca_rwq_table *table; /* a TIR's own */
			uint32_t domain;		 /* a TIS's transport domain */
		} devx;
		struct {
			uint8_t qp_type; /* enum ib_uverbs_qp_type */
			bool dct, sig_all, rss;
			struct uv_obj *shared; /* ring of handles of the same queue pair, or NULL */
		} qp;
		uint32_t cqe_size;
		uint32_t srq_type;
		struct {
			bool omit_data;
			uint64_t sent; /* records */
		} devx_channel;
	} u;
};

/* One open of /dev/infiniband/uverbsN, like the kernel's ib_uverbs_file. */
struct uv_file {
	struct uv_file *next;
	dev_t st_dev; /* identity of the memfd, the same for a dup()ed fd */
	ino_t st_ino;
	struct uv_hca *hca;
	uint64_t *dm_pages; /* those of hca. In a forked child those of the parent's device */
	int map_fd; /* our own fd of the memfd */
	bool foreign; /* opened by a process that this one was forked from */
	bool ready; /* GET_CONTEXT was done */
	uint8_t cqe_version;
	struct uv_evq *async;
	struct uv_obj **objs;
	unsigned int num_objs;
	unsigned int first_free; /* no handle below it is free */
	uint32_t uar_bitmap[64]; /* doorbell pages in use */
	/* by the page's place. NULL: none, or a page of another kind */
	struct uv_obj *uars[64 * 32];
	struct softhca_clock *clock;
	void *clock_page;
};

/* ---- process-wide state, file.c -------------------------------------------------------------- */

/* Directory that libibverbs uses as SYSFS_PATH, or NULL if the devices are not up. */
const char *uv_sysfs_root(void);
unsigned int uv_num_devices(void);

/* Opens device `index`: an fd or a negative errno. */
int uv_file_open(unsigned int index, int flags);
/* True if `fd` is an open device file. Takes no lock, async-signal-safe. */
bool uv_is_ours(int fd);
/* Index of the device with an open file of this inode, or -1. Same conditions. */
int uv_device_of_inode(const struct stat *st);
/* File of an fd, or NULL. The caller holds the lock. */
struct uv_file *uv_file_of(int fd);
/* Other files than uverbs files are recognised the same way, by an index above all devices'. */
/* Index of an fd's file, or -1. Same conditions as uv_is_ours(). */
int uv_index_of(int fd);
/*
 * Registers another file than a uverbs file that has just been opened. It is known by `index`, and
 * fd is returned. Otherwise it is closed, and -EMFILE is returned. Called with the lock.
 */
int uv_open_other(int fd, const struct stat *st, unsigned int index,
		  void (*gone)(const struct stat *st));
/* close() of another file than a uverbs file. `gone` is called after the last fd, with the lock. */
int uv_close_other(int fd, void (*gone)(const struct stat *st));
/* Called after an fd of `f` was closed. Frees everything if it was the last one. */
void uv_file_closed(struct uv_file *f);
void uv_fork_child(void);

/* ---- objects, obj.c -------------------------------------------------------------------------- */

/* Makes an object and takes a handle for it. NULL if there is no memory. */
struct uv_obj *uv_obj_new(struct uv_file *f, enum uv_type type);
/* Makes an object with a copy of the given data, freed with it. Returns its handle. */
int uv_attr_make(struct uv_ioctl *io, uint16_t id, enum uv_type type, const void *what,
		 size_t size);
/* Looks up a handle of a type, or NULL. */
struct uv_obj *uv_obj_get(struct uv_file *f, enum uv_type type, uint32_t handle);
/* Records that `obj` needs `on` (which may be NULL). */
void uv_obj_depend(struct uv_obj *obj, struct uv_obj *on);
/* Removes one dependency. */
void uv_obj_undepend(struct uv_obj *obj, struct uv_obj *on);
/* Frees the handle and its dependencies. The engine's object must be gone. */
void uv_obj_free(struct uv_obj *obj);
/* Destroys the engine's object and the handle: 0, -EBUSY, -ENOENT if it is NULL ... */
int uv_obj_destroy(struct uv_obj *obj);
/*
 * uv_obj_end - the same. `async` (and of a completion queue `comp`) become the number of events
 * that the program has read: the library waits until it has acknowledged so many.
 */
int uv_obj_end(struct uv_obj *obj, uint32_t *async, uint32_t *comp);
/* Destroys all objects of a file, dependants first. */
void uv_obj_destroy_all(struct uv_file *f);

/* ---- events, event.c ------------------------------------------------------------------------- */

extern const struct softhca_ops uv_engine_ops;
/* Number of events of `obj` that the application has read. Unread ones are removed. */
unsigned int uv_comp_events_reported(struct uv_obj *cq);
unsigned int uv_async_events_reported(struct uv_obj *obj);
/* Makes an async fd. Returns its number or a negative errno. */
int uv_event_fd_create(struct uv_file *f);
/* Frees those with an fd that the application has closed, also DEVX event channels. */
void uv_event_fd_collect(struct uv_file *f);
/* Queue of an async fd, or NULL. */
struct uv_evq *uv_event_fd_find(struct uv_file *f, int fd);
struct uv_file *uv_files(void);

/* ---- driver pieces shared by write commands and DEVX ----------------------------------------- */

/* Allocates a doorbell page. Returns its object or a negative errno. */
int uv_uar_alloc(struct uv_file *f, struct uv_obj **out);
/* Takes one of the pages that a program maps by our number. -ENOMEM. */
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
