/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The softhca engine: one user-space mlx5 HCA, without any knowledge of libc tricks or of the
 * uverbs ABI.
 *
 * Rules that hold for the whole file:
 *
 *  - LOCK. One mutex per process. Every function below is called with softhca_lock() held, except
 * the ones marked [unlocked]. Callbacks (struct softhca_ops) run with the lock held, must not block
 * and must not call back into the engine, except for reading fields of the object they were given.
 *  - RESULTS. 0 or a negative errno, as the kernel's verbs would give for the same arguments.
 *    softhca_why() is the sentence that explains the last failure of this thread.
 *  - ADDRESSES. A uint64_t named *_va is an address in this process, as the application gave it.
 * The engine never dereferences it directly: an unmapped page becomes an error.
 *  - NUMBERS. Enumerations and structures of <infiniband/verbs.h> are used where they say what is
 * meant (QP types and states, attribute masks, access flags, event types); the front translates
 * from the wire structures of uverbs.
 *  - OWNERSHIP. Whatever a *_create() gives is freed by the matching *_destroy(), which refuses
 * with -EBUSY while something still depends on the object. `user` of each is the front's.
 */
#ifndef SOFTHCA_ENGINE_H
#define SOFTHCA_ENGINE_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/softhca/engine/flow.h"

struct softhca_dev;
struct softhca_pd;
struct softhca_xrcd;
struct softhca_uar;
struct softhca_mkey; /* MR, memory window and indirect key alike */
struct softhca_cq;
struct softhca_srq;
struct softhca_qp;
struct softhca_rss;
struct softhca_sched;

#define SOFTHCA_MAX_PORTS 4
#define SOFTHCA_GIDS	  16
#define SOFTHCA_PKEYS	  2
#define SOFTHCA_UAR_SIZE  4096u
#define SOFTHCA_LOG_MAX_DEKS 16u /* data encryption keys */
#define SOFTHCA_LOG_MAX_MSG 30u /* bytes of the longest message */

/* What InfiniBand ports can do, as PortInfo and verbs say it. */
#define SOFTHCA_PORT_CAPS_IB 0x2651e848u

/* ---- the lock, the thread, time ---- */

/* [unlocked] softhca_lock: the only mutex. Not recursive, not held when the program's code runs. */
void softhca_lock(void);
/* [unlocked] softhca_lock_soon: the same, but gives up after `ms`; for a process that ends, perhaps
 * in a signal handler that interrupted the owner. */
bool softhca_lock_soon(unsigned int ms);
/* [unlocked] softhca_lock_try: the same if nobody has it. */
bool softhca_lock_try(void);
/* [unlocked] softhca_lock_lightly: softhca_lock() for those who come often. */
void softhca_lock_lightly(void);
bool softhca_lock_is_mine(void);
/* [unlocked] softhca_unlock: give the mutex back. */
void softhca_unlock(void);
/* softhca_lock_reinit: in a forked child: a fresh, free mutex, whoever held it in the parent. */
void softhca_lock_reinit(void);

/* [unlocked] softhca_now_ns: CLOCK_MONOTONIC in ns. */
uint64_t softhca_now_ns(void);

/*
 * softhca_poll_all: one turn of the device: scan the doorbell pages of every device (unless
 * `skip_doorbells`: trap mode), receive packets, run timers, run queues. Returns the number of
 * things done; 0 means idle.
 * `*next_ns` (may be NULL) becomes the time of the next timer, or UINT64_MAX.
 */
int softhca_poll_all(bool skip_doorbells, uint64_t *next_ns);
/* softhca_transport_goodbye: the process ends: the next turn acknowledges what has come. */
void softhca_transport_goodbye(void);

/*
 * [unlocked] softhca_thread_start: start the one device thread of this process (no-op if it runs).
 * All signals are blocked in it except the synchronous ones. It loops over softhca_poll_all() and
 * sleeps in ppoll() on the wire's sockets when idle. `skip_doorbells`: trap mode. [unlocked]
 * softhca_thread_stop: stop and join it. softhca_thread_kick: make it run now (a command changed
 * something); cheap if it does not sleep.
 */
int softhca_thread_start(bool skip_doorbells);
void softhca_thread_stop(void);
void softhca_thread_kick(void);
/* softhca_thread_told: the program rings, or waits: no long nap now. */
void softhca_thread_told(void);

/*
 * [unlocked] softhca_drive: one turn of the device by a thread of the program that waits for it,
 * unless somebody else is at it. Returns the number of things done. Who goes on asking drives the
 * device, and the device thread keeps out of the way. softhca_drive_rung: the caller has rung the
 * doorbell of that queue pair, softhca_drive_armed: has armed a completion queue; either is seen
 * before this returns, however many pages there are. softhca_drive_park: the caller will sleep now,
 * the device thread is to take over. All preserve errno.
 */
int softhca_drive(void);
/* [unlocked] softhca_drive_on: is there a device to drive? */
bool softhca_drive_on(void);
void softhca_drive_rung(uint32_t qpn);
void softhca_drive_armed(void);
/*
 * [unlocked] softhca_wire_rings: may packets go to other processes through shared memory (default),
 * or only by UDP? Before the first device.
 */
void softhca_wire_rings(bool yes);
/* [unlocked] softhca_drive_shares_cpu: does somebody that packets come from need this processor? */
bool softhca_drive_shares_cpu(void);
/*
 * [unlocked] softhca_drive_nap: after a turn that did nothing: sleeps until there is a packet, at
 * most `ns`, if somebody that packets come from needs this processor. False: it did not.
 */
bool softhca_drive_nap(uint64_t ns);
void softhca_drive_park(void);

/*
 * [unlocked] softhca_fork_child: call in the child of fork(): new mutex, no thread, every device
 * forgotten (not freed: memory may be shared with the parent, and sockets are the parent's).
 */
void softhca_fork_child(void);

/* [unlocked] softhca_why: the reason of this thread's last failed call, a sentence; "" if none. */
const char *softhca_why(void);
/* [unlocked] softhca_why_clear: forget it. */
void softhca_why_clear(void);
/* [unlocked] softhca_fail: records the sentence and returns `err`, a negative errno. */
int softhca_fail(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- copying from and to application memory ---- */

/*
 * The engine copies with instructions that have an exception table: a fault inside them is repaired
 * by softhca_copy_fixup(), to be called by whoever owns SIGSEGV and SIGBUS. softhca_copy_install()
 * installs a chaining handler for programs in which nobody else does. While the handler that is
 * installed is not one of ours, process_vm_readv() is used.
 */
/* [unlocked] softhca_copy_install: a SIGSEGV/SIGBUS handler for engine faults; chains the rest. */
int softhca_copy_install(void);
/* [unlocked] softhca_copy_changed: this thread's signal mask or a handler has been changed. */
void softhca_copy_changed(void);
/*
 * [unlocked] softhca_copy_fixup: `ucontext` is the third argument of the signal handler. True:
 * repaired, return from the handler. Async-signal-safe.
 */
bool softhca_copy_fixup(void *ucontext);
/* [unlocked] softhca_copy_owner: tell the engine that `handler` (a sa_sigaction that calls
 * softhca_copy_fixup) is trusted. */
void softhca_copy_owner(void (*handler)(int, void *, void *));
/* [unlocked] softhca_copy_in/out: 0 or -EFAULT. */
int softhca_copy_in(void *dst, uint64_t va, size_t len);
int softhca_copy_out(uint64_t va, const void *src, size_t len);
/* [unlocked] softhca_copy_by_kernel: without signals, slower; `in`: va to mine. Keeps errno. */
int softhca_copy_by_kernel(uint64_t va, void *mine, size_t len, bool in);

/* ---- device ---- */

enum softhca_link { SOFTHCA_LINK_IB = 1, SOFTHCA_LINK_ROCE = 2 };

/* All that may be chosen of a device; softhca_config_init() fills in what is like a ConnectX-6. */
struct softhca_config {
	char name[32];	/* "mlx5_0": for messages */
	unsigned index; /* 0-based number of this device in the process: takes part in addressing */
	unsigned nports;
	enum softhca_link link[SOFTHCA_MAX_PORTS];
	uint64_t node_guid;  /* host order; 0: derived from the claimed address */
	uint8_t cqe_version; /* 0: CQEs carry qpn/srqn; 1: the user index */
	enum ibv_mtu max_mtu;
	/* limits, also the answers to QUERY_DEVICE */
	uint32_t max_qp, max_qp_wr, max_sge, max_sge_rd, max_cq, max_cqe, max_mr, max_pd, max_mw,
		max_ah;
	uint32_t max_srq, max_srq_wr, max_srq_sge, max_qp_rd_atom, max_qp_init_rd_atom,
		max_mcast_grp, max_mcast_qp;
	uint32_t max_inline; /* of the WQE ABI: what fits into max_sq_desc_sz */
	uint32_t max_sq_desc_sz, max_rq_desc_sz;
	uint64_t max_mr_size;
	uint32_t max_memcpy; /* bytes of one memory copy, a power of two */
	uint8_t max_dci_log_streams;
	/* data paths that may be switched off */
	bool atomics, masked_atomics, xrc, dc, raw_packet, mw, umr, mmo, inline_scatter, odp, qos,
		cqe_compression, tag_matching, tso, wait_cq, wait_on_data, wait_on_time;
	/* only queue pairs told to allow memory copies make some, as with dma_mmo_qp */
	bool mmo_asked;
	/* receives of a DCT complete with number 0 in CQEs of version 1, which have its index */
	bool dct_nameless;
	bool timestamps; /* completions are stamped, and programs are told of the clock */
	bool sqd; /* programs may ask for SQD, which the kernel's driver refuses */
	/* the process needs those that the kernel asks for, see softhca_dev_permits() */
	bool privileges;
	/* a memfd may stand for a DMA buffer, where there is nothing that makes one */
	bool memfd_dmabuf;
	uint8_t lag_ports; /* bonded into each Ethernet port; 0: none */
	int numa_node; /* that sysfs says the card is on; -1: nobody knows */
	bool sig;    /* signature offload */
	bool crypto; /* AES-XTS offload */
	bool crypto_wrapped; /* keys are loaded wrapped, after a login; else as they are */
	bool crypto_multi_block; /* more than one data unit per key, and tweaks big-endian */
	bool strict; /* the referee aborts at the first violation */
	bool watch;  /* buffers of requests are summed up at the post and at the completion */
	uint32_t gather_ns; /* how long after the post a payload is read; 0: in the post */
	/* so much later a request is carried out, and up to so much more */
	uint32_t latency_ns, jitter_ns;
	uint32_t seed;			/* of the latter */
	/* how long a message may find no receive before the referee says so; 0: 5000 */
	unsigned patience_ms;
	const char
		*referee_json; /* file the referee appends to, or NULL; must outlive the device */
	/* folder for rings of queues that are destroyed, or NULL; must outlive the device */
	const char *dump;
};

/* Bytes of payload that one TSO may have. */
#define SOFTHCA_MAX_TSO (1u << 18)

void softhca_config_init(struct softhca_config *cfg);

/* What the engine tells the front, with the lock held, by the device thread or in a call. */
struct softhca_ops {
	/* A completion channel event of `cq` (it was armed and fires). */
	void (*cq_event)(void *arg, struct softhca_cq *cq);
	/*
	 * An asynchronous event. `type` is an enum ibv_event_type; `obj` is the struct softhca_cq,
	 * _qp or _srq concerned, or NULL for port and device events; `port` is its number or 0.
	 */
	void (*async_event)(void *arg, enum ibv_event_type type, void *obj, unsigned port);
};

/*
 * softhca_dev_create: claims addresses on the wire and returns a live device with all ports ACTIVE.
 * `ops` and `arg` must outlive it; `cfg` is copied.
 */
int softhca_dev_create(const struct softhca_config *cfg, const struct softhca_ops *ops, void *arg,
		       struct softhca_dev **dev);
/* softhca_dev_destroy: frees it and all left in it, in the order of a process's death. */
void softhca_dev_destroy(struct softhca_dev *dev);
const struct softhca_config *softhca_dev_config(const struct softhca_dev *dev);
uint64_t softhca_dev_guid(const struct softhca_dev *dev); /* host order */
/* softhca_dev_by_index: the idx-th live device of this process, or NULL. */
struct softhca_dev *softhca_dev_by_index(unsigned idx);
/* softhca_dev_fatal: IBV_EVENT_DEVICE_FATAL; all queues are dead, creators fail with -EIO. */
void softhca_dev_fatal(struct softhca_dev *dev);
/* softhca_dev_clock: the device's free-running 1 GHz counter, as in CQE timestamps. */
uint64_t softhca_dev_clock(const struct softhca_dev *dev);

/*
 * softhca_clock_add: from now on the first 8 bytes of `page` (big-endian) follow that counter: they
 * are written at each turn of the device and before each time stamp.
 */
struct softhca_clock;
int softhca_clock_add(struct softhca_dev *dev, void *page, struct softhca_clock **clock);
void softhca_clock_remove(struct softhca_clock *clock);

struct softhca_port_attr {
	enum ibv_port_state state;
	enum ibv_mtu max_mtu, active_mtu;
	enum softhca_link link;
	uint16_t lid, sm_lid; /* 0 on RoCE */
	uint8_t lmc;
	unsigned gid_len, pkey_len;
	uint64_t guid;	/* host order */
	uint8_t mac[6]; /* RoCE */
};
int softhca_port_query(struct softhca_dev *dev, unsigned port, struct softhca_port_attr *attr);
/* Empty: 0 with an all-zero gid. `type`: enum ibv_gid_type_sysfs, 0 IB/RoCE v1, 1 RoCE v2. */
int softhca_gid_query(struct softhca_dev *dev, unsigned port, unsigned index, union ibv_gid *gid,
		      unsigned *type);
int softhca_pkey_query(struct softhca_dev *dev, unsigned port, unsigned index, uint16_t *pkey);
/* softhca_pkey_set: replaces a P_Key (0: none, no packet matches it) and raises PKEY_CHANGE. */
int softhca_pkey_set(struct softhca_dev *dev, unsigned port, unsigned index, uint16_t pkey);
/* softhca_port_set: ACTIVE or DOWN; raises PORT_ACTIVE or PORT_ERR once if that is a change. */
int softhca_port_set(struct softhca_dev *dev, unsigned port, enum ibv_port_state state);
/* softhca_gid_set: replaces a GID (all zero: removes it) and raises GID_CHANGE. */
int softhca_gid_set(struct softhca_dev *dev, unsigned port, unsigned index,
		    const union ibv_gid *gid);
/* softhca_dev_async: any event by hand (fault plan). `num`: of a QP, CQ or SRQ, or 0. */
int softhca_dev_async(struct softhca_dev *dev, enum ibv_event_type type, uint32_t num,
		      unsigned port);
/*
 * softhca_mac_resolve: destination MAC for an address vector on a RoCE port (answer to CREATE_AH).
 * -EHOSTUNREACH if the GID names nobody that softhca can reach.
 */
int softhca_mac_resolve(struct softhca_dev *dev, const struct ibv_ah_attr *ah, uint8_t mac[6]);
/* softhca_ah_check: the checks of ib_create_ah() / modify_qp on an address vector: port, GID index,
 * GRH on RoCE, LID. softhca_ah_check_source: the same if no destination is named. */
int softhca_ah_check(struct softhca_dev *dev, const struct ibv_ah_attr *ah);
int softhca_ah_check_source(struct softhca_dev *dev, const struct ibv_ah_attr *ah);

/* ---- doorbell pages (UAR) ---- */

/*
 * softhca_uar_create: `page` is the device's own mapping (a shared alias, always writable) of one 4
 * KB doorbell page. `*page_id` is never 0. softhca_uar_destroy: -EBUSY while a QP or CQ refers to
 * it; the memory of the page stays the front's.
 */
int softhca_uar_create(struct softhca_dev *dev, void *page, struct softhca_uar **uar,
		       uint32_t *page_id);
int softhca_uar_destroy(struct softhca_uar *uar);
void *softhca_uar_page(const struct softhca_uar *uar);
/*
 * softhca_uar_scan: look at every doorbell register of one page and do what they ask; the number of
 * doorbells found. It also compares BlueFlame bytes with the ring. softhca_uar_scan_store: the same
 * for trap mode, synchronously after the storing thread's store at byte `offset` of the page: only
 * that register's bytes are compared, as what others have stored beside may be incomplete.
 */
int softhca_uar_scan(struct softhca_uar *uar);
int softhca_uar_scan_store(struct softhca_uar *uar, size_t offset);
/* [unlocked] softhca_uar_store_begins: trap mode: a thread is about to store at byte `offset` of
 * the page, until softhca_uar_store_ends (with the lock). */
void softhca_uar_store_begins(struct softhca_uar *uar, size_t offset);
void softhca_uar_store_ends(struct softhca_uar *uar);
/*
 * softhca_uar_set_trapped: trap mode: are this page's stores trapped? Pages that are not (somebody
 * mapped them behind our back) are polled even with skip_doorbells.
 */
void softhca_uar_set_trapped(struct softhca_uar *uar, bool trapped);

/* ---- protection domains, memory ---- */

/* softhca_next_numbers: what the next protection domain and the next doorbell page are to be
 * called, if nothing is; 0: as it comes. */
void softhca_next_numbers(struct softhca_dev *dev, uint32_t pdn, uint32_t page_id);

int softhca_pd_create(struct softhca_dev *dev, struct softhca_pd **pd, uint32_t *pdn);
int softhca_pd_destroy(struct softhca_pd *pd);
struct softhca_pd *softhca_pd_find(struct softhca_dev *dev, uint32_t pdn);

/* softhca_access_check: may a region have these rights, of enum ibv_access_flags? 0 or -errno. */
int softhca_access_check(uint32_t access);
/* What single rights, as devices write them, make together. */
static inline uint32_t softhca_access_of(bool local_write, bool read, bool write, bool atomic)
{
	return (local_write ? IBV_ACCESS_LOCAL_WRITE : 0) | (read ? IBV_ACCESS_REMOTE_READ : 0) |
	       (write ? IBV_ACCESS_REMOTE_WRITE : 0) | (atomic ? IBV_ACCESS_REMOTE_ATOMIC : 0);
}

/*
 * softhca_mr_create: register [va, va + len) so that keyed addresses start at `iova`. -EFAULT if a
 * page is not mapped, -ENOMEM for more than the machine has (a card pins it), -EINVAL for a range
 * that goes around; len 0 is allowed. lkey == rkey == softhca_mkey_key().
 */
int softhca_mr_create(struct softhca_pd *pd, uint64_t va, uint64_t len, uint64_t iova,
		      uint32_t access, struct softhca_mkey **mr);
/* softhca_mr_rereg: flags is enum ibv_rereg_mr_flags; the key stays, as mlx5 does it by UMR. `pd`
 * may be NULL when not changed. */
int softhca_mr_rereg(struct softhca_mkey *mr, int flags, struct softhca_pd *pd,
		     const uint64_t va_len_iova[3], uint32_t access);
/*
 * softhca_mr_advise: prefetch a piece of an on-demand region. -ENOENT: the key names none; -EPERM:
 * another PD, or `write` without local write; -EFAULT: outside, or with `touch` not mapped.
 */
int softhca_mr_advise(struct softhca_pd *pd, const struct ibv_sge *sge, bool write, bool touch);
/* softhca_mw_create: IBV_MW_TYPE_1 or _2; softhca_mkey_key() is unusable until bound. */
int softhca_mw_create(struct softhca_pd *pd, enum ibv_mw_type type, struct softhca_mkey **mw);
/* softhca_null_mkey: the key whose reads give zeros and whose writes vanish. */
uint32_t softhca_null_mkey(struct softhca_dev *dev);

enum softhca_mkey_mode {
	SOFTHCA_MKEY_PA,  /* start addresses are virtual addresses of the process */
	SOFTHCA_MKEY_MTT, /* a umem: [umem_va, umem_va + len) seen at `start` */
	SOFTHCA_MKEY_KLM, /* a list of (count, key, va) */
	SOFTHCA_MKEY_KSM, /* a list of equal sized (key, va) */
};
struct softhca_klm {
	uint32_t bcount, key;
	uint64_t va;
};
/* From CREATE_MKEY (0x200), for DEVX. */
struct softhca_mkey_attr {
	enum softhca_mkey_mode mode;
	struct softhca_pd *pd;
	bool free; /* created unusable, UMR makes it valid */
	bool umr_en;
	bool length64;
	uint8_t variant; /* key[7:0] */
	uint32_t access; /* IBV_ACCESS_* */
	uint32_t qpn;	 /* 0xffffff: any */
	uint64_t start, len, umem_va;
	uint8_t log_entity_size; /* KSM */
	uint32_t max_klms;	 /* translations_octword_size */
	uint32_t bsf_room;	 /* bsf_octword_size: of signature and crypto settings; 0: none */
	bool crypto;		 /* crypto_en */
	const struct softhca_klm *klms;
	uint32_t nklms;
};
int softhca_mkey_create(struct softhca_dev *dev, const struct softhca_mkey_attr *attr,
			struct softhca_mkey **mkey);
/* softhca_dev_permits: may the process do what needs this capability (CAP_NET_RAW, CAP_IPC_LOCK)?
 * Yes without config.privileges. */
bool softhca_dev_permits(const struct softhca_dev *dev, unsigned int capability);
/* softhca_mkey_destroy: MR, MW or mkey. -EBUSY for an MR to which memory windows are bound. */
int softhca_mkey_destroy(struct softhca_mkey *mkey);
uint32_t softhca_mkey_key(const struct softhca_mkey *mkey);
struct softhca_mkey *softhca_mkey_find(struct softhca_dev *dev, uint32_t key); /* exact key */

/* softhca_xrcd_create/destroy: XRC domains; the front shares them by inode. */
int softhca_xrcd_create(struct softhca_dev *dev, struct softhca_xrcd **xrcd, uint32_t *xrcdn);
int softhca_xrcd_destroy(struct softhca_xrcd *xrcd);

/* ---- completion queues ---- */

struct softhca_cq_attr {
	uint64_t buf_va, db_va;
	uint32_t cqes; /* entries in the buffer, a power of two (requested cqe + 1 rounded up) */
	uint32_t cqe_size;	 /* 64 or 128 */
	struct softhca_uar *uar; /* where it is armed; NULL: any page */
	bool overrun_ignore;	 /* DEVX oi */
	bool collapsed;		 /* DEVX cc */
	bool want_events;	 /* false: arming never calls cq_event */
	bool pad;		 /* 128-byte entries: the first half is written each time */
	bool compress;
	bool enhanced;	     /* layout of compressed blocks */
	uint8_t mini_format; /* enum mini_cqe_format: what mini CQEs of receives keep */
};
/*
 * softhca_cq_create: the buffer must be writable. -EINVAL: size not a power of two or above the
 * limit; -EFAULT. The engine does not initialise the entries: libmlx5 does (opcode INVALID).
 */
int softhca_cq_create(struct softhca_dev *dev, const struct softhca_cq_attr *attr,
		      struct softhca_cq **cq, uint32_t *cqn);
/*
 * softhca_cq_resize: moves to a new buffer and writes the RESIZE_CQ entry into the old one, as the
 * device does; libmlx5 then copies. The front calls it from RESIZE_CQ. -EINVAL as for create,
 * -ENOSPC when the unread entries do not fit.
 */
int softhca_cq_resize(struct softhca_cq *cq, uint64_t buf_va, uint32_t cqes, uint32_t cqe_size);
/* softhca_cq_moderate: hold events back until `count` entries are new, or `us` microseconds. */
void softhca_cq_moderate(struct softhca_cq *cq, uint16_t count, uint16_t us);
int softhca_cq_destroy(struct softhca_cq *cq);
struct softhca_cq *softhca_cq_find(struct softhca_dev *dev, uint32_t cqn);
uint32_t softhca_cq_num(const struct softhca_cq *cq);
void softhca_cq_set_user(struct softhca_cq *cq, void *user);
void *softhca_cq_user(const struct softhca_cq *cq);
/* softhca_cq_arm: the arm doorbell; value: its first word (sn << 28 | cmd << 24 | ci). */
void softhca_cq_arm(struct softhca_cq *cq, uint32_t value);
/* softhca_cq_overrun: provoke what an overrun provokes (fault plan). */
void softhca_cq_overrun(struct softhca_cq *cq);
/* softhca_cq_wrap: if the queue is empty, count both counters on to two laps before 2^32 (fault
 * plan). The consumer's record is written; the consumer must know. */
void softhca_cq_wrap(struct softhca_cq *cq);

/* ---- shared receive queues ---- */

#define SOFTHCA_LOG_MAX_TAGS 7u /* entries of a tag list, as announced */

struct softhca_srq_attr {
	enum ibv_srq_type type;
	struct softhca_pd *pd;
	struct softhca_cq *cq;	   /* XRC, tag matching */
	struct softhca_xrcd *xrcd; /* XRC */
	uint64_t buf_va, db_va;
	uint32_t wqes;	    /* entries in the buffer, a power of two */
	uint32_t wqe_shift; /* log2 of the stride in bytes */
	uint32_t max_wr, max_sge, limit;
	uint32_t user_index;
	uint32_t max_tags; /* tag matching: entries of the list */
	bool cyclic; /* entries are taken in ring order, not as the driver links them */
	bool bare;   /* cyclic: entries are data segments only, without a next segment */
};
int softhca_srq_create(struct softhca_dev *dev, const struct softhca_srq_attr *attr,
		       struct softhca_srq **srq, uint32_t *srqn);
/* softhca_srq_modify: mask: enum ibv_srq_attr_mask, not IBV_SRQ_MAX_WR. Arms the limit once. */
int softhca_srq_modify(struct softhca_srq *srq, const struct ibv_srq_attr *attr, int mask);
int softhca_srq_query(struct softhca_srq *srq, struct ibv_srq_attr *attr);
int softhca_srq_destroy(struct softhca_srq *srq);
struct softhca_srq *softhca_srq_find(struct softhca_dev *dev, uint32_t srqn);
uint32_t softhca_srq_num(const struct softhca_srq *srq);
uint16_t softhca_srq_taken(const struct softhca_srq *srq); /* entries consumed so far */
/* softhca_srq_attr: what it was created with. */
const struct softhca_srq_attr *softhca_srq_attr(const struct softhca_srq *srq);
void softhca_srq_set_user(struct softhca_srq *srq, void *user);
void *softhca_srq_user(const struct softhca_srq *srq);

/* ---- queue pairs ---- */

enum softhca_qp_type {
	SOFTHCA_QP_RC,
	SOFTHCA_QP_UC,
	SOFTHCA_QP_UD,
	SOFTHCA_QP_XRC_INI, /* send side */
	SOFTHCA_QP_XRC_TGT, /* receive side: no queues */
	SOFTHCA_QP_DCI,
	SOFTHCA_QP_DCT,
	SOFTHCA_QP_RAW, /* IBV_QPT_RAW_PACKET */
	SOFTHCA_QP_RWQ, /* a receive work queue alone; made by softhca_wq_create() */
};

/* Striding receives: how entries are cut; log_strides 0: they are not. */
struct softhca_mprq {
	uint8_t log_stride, log_strides; /* bytes of a stride, strides of an entry */
	uint8_t shift;			 /* bytes left free at the start of a packet: 0 or 2 */
};

struct softhca_qp_create {
	enum softhca_qp_type type;
	struct softhca_pd *pd; /* NULL only for XRC_TGT */
	struct softhca_cq *send_cq, *recv_cq;
	struct softhca_srq *srq;
	struct softhca_xrcd *xrcd;    /* XRC_TGT */
	struct softhca_uar *uar;      /* whose doorbells ring it; NULL: any page */
	uint64_t rq_va, sq_va, db_va; /* rings and doorbell record (8 bytes: RCV at 0, SND at 4) */
	uint32_t rq_wqes, rq_stride;  /* entries (power of two, or 0), bytes each */
	uint32_t sq_wqes;	      /* 64-byte blocks (power of two, or 0) */
	uint32_t user_index;	      /* CQE version 1 */
	struct ibv_qp_cap cap;	      /* echoed by query */
	bool sq_sig_all;
	bool scatter_cqe, scatter_cqe_req; /* receives up to `scatter_bytes`; READs, atomics */
	uint32_t scatter_bytes;		   /* 32 or 64 */
	bool rq_signature;	   /* each RQ entry starts with a 16-byte signature segment */
	bool mpw_sq, no_flush_err; /* reserved, false */
	uint64_t dc_access_key;	   /* DCT */
	uint8_t log_dci_streams, log_dci_errored;
	bool umr_en; /* UMR WQEs allowed (RC: always true for libmlx5) */
	bool cross_master; /* may post SEND_EN (cd_master) */
	bool managed_send; /* executes what a SEND_EN releases, and nothing else (cd_slave_send) */
	struct softhca_mprq mprq;
	/* raw packets */
	bool cvlan_strip, scatter_fcs;
	/*
	 * What is sent in a transport domain is not received in it, if that is not 0, nor by the
	 * sender itself; unless self_lb allows it to unicast or multicast frames.
	 */
	uint32_t domain;
	bool self_lb_uc, self_lb_mc;
	const struct softhca_rss *rss; /* spreads what it receives; it has no queues of its own */
};
/*
 * softhca_qp_create: state RESET. A DCT has number 0 (`*qpn` = 0) until it reaches RTR.
 * -EINVAL: wrong combination for the type, sizes not powers of two, foreign PD of the SRQ is
 * allowed (as in verbs); -ENOMEM: limits.
 */
int softhca_qp_create(struct softhca_dev *dev, const struct softhca_qp_create *attr,
		      struct softhca_qp **qp, uint32_t *qpn);
/*
 * softhca_qp_modify: ibv_modify_qp with the checks of ib_modify_qp_is_ok() and of mlx5:
 * transitions, required and optional masks per type, port, pkey index, GID index, MTU, rd_atomic
 * limits, timers. All or nothing. A DCT's `mask` and `attr` are as usual, the number comes at RTR.
 */
int softhca_qp_modify(struct softhca_qp *qp, const struct ibv_qp_attr *attr, int mask);
/* softhca_qp_query: fills all of `attr`; the caps too. */
int softhca_qp_query(struct softhca_qp *qp, struct ibv_qp_attr *attr);
/* [unlocked] softhca_rd_depth: READs and atomics the device takes for such an attribute: a power of
 * two, or 0 for 0. */
uint32_t softhca_rd_depth(uint8_t rd_atomic);
/* softhca_let_arrive: takes in what is on the way, as a card has when a command ends. */
void softhca_let_arrive(void);
/* softhca_qp_drain_sigerr: in INIT: shall it go to SQD at a signature error of its own requests? */
int softhca_qp_drain_sigerr(struct softhca_qp *qp, bool drain);

/* softhca_qp_allow_mmo: memory copies may be posted (config.mmo_asked) or not. */
void softhca_qp_allow_mmo(struct softhca_qp *qp, bool allowed);
/* softhca_qp_sent: counter of the first block of the send queue that has not been executed. */
uint16_t softhca_qp_sent(const struct softhca_qp *qp);
int softhca_qp_destroy(struct softhca_qp *qp);
/* softhca_qp_share: one more to destroy it, each but the last only counts. -EINVAL: not an XRC
 * target of this domain. */
int softhca_qp_share(struct softhca_qp *qp, const struct softhca_xrcd *xrcd);
struct softhca_qp *softhca_qp_find(struct softhca_dev *dev, uint32_t qpn);
uint32_t softhca_qp_num(const struct softhca_qp *qp);
/* softhca_rq_num: of its receive queue, another one only in a raw packet queue pair that sends. */
uint32_t softhca_rq_num(const struct softhca_qp *qp);
/* softhca_qp_user_index: by which completions of version 1 name it. */
uint32_t softhca_qp_user_index(const struct softhca_qp *qp);
enum softhca_qp_type softhca_qp_type_of(const struct softhca_qp *qp);
enum ibv_qp_state softhca_qp_state(const struct softhca_qp *qp);
void softhca_qp_set_user(struct softhca_qp *qp, void *user);
void *softhca_qp_user(const struct softhca_qp *qp);
/*
 * softhca_qpn_reserve: 1 << SOFTHCA_LOG_RESERVED_QPNS numbers from `first` on, a multiple of that,
 * that no queue pair is given. `owner` is not NULL.
 */
#define SOFTHCA_LOG_RESERVED_QPNS 5u
int softhca_qpn_reserve(struct softhca_dev *dev, void *owner, uint32_t *first);
void softhca_qpn_release(struct softhca_dev *dev, uint32_t first);
/* softhca_qp_reset_stream: DCI_STREAM_RESET (mlx5dv_dci_stream_id_reset). */
int softhca_qp_reset_stream(struct softhca_qp *qp, unsigned stream);
/* Bonded ports: which one a queue pair sends through, from 1; 0: they are not, or it is in RESET.
 * -EINVAL: there is no such port. */
uint8_t softhca_qp_lag_port(const struct softhca_qp *qp);
int softhca_qp_set_lag_port(struct softhca_qp *qp, uint8_t port);
/* RC, UC on RoCE in RTS: the UDP source port of its packets. */
uint16_t softhca_qp_udp_sport(const struct softhca_qp *qp);
int softhca_qp_set_udp_sport(struct softhca_qp *qp, uint16_t sport);

/* ---- how fast queues send: pace.c ---- */

#define SOFTHCA_RATE_MIN 1u	     /* kb/s */
#define SOFTHCA_RATE_MAX 100000000u
#define SOFTHCA_MAX_SCHEDS 4096u

/* softhca_qp_set_rate: of a raw packet queue pair; 0: no limit. `burst` bytes may come at once. */
int softhca_qp_set_rate(struct softhca_qp *qp, uint32_t kbps, uint32_t burst);
/*
 * Scheduling elements: nodes, and below them leaves for queue pairs. -EINVAL: a leaf without a
 * parent, or something below a leaf. The parent stays as long as something is below it (-EBUSY).
 */
int softhca_sched_create(struct softhca_dev *dev, struct softhca_sched *parent, bool leaf,
			 struct softhca_sched **sched, uint32_t *id);
struct softhca_sched *softhca_sched_find(struct softhca_dev *dev, uint32_t id);
/* softhca_sched_set_rate: of all that is below it together; 0: no limit. */
void softhca_sched_set_rate(struct softhca_sched *sched, uint64_t mbps);
int softhca_sched_destroy(struct softhca_sched *sched);
/* softhca_qp_set_sched: NULL detaches. -EINVAL for a node. */
int softhca_qp_set_sched(struct softhca_qp *qp, struct softhca_sched *leaf);

/* Multicast: UD only. -EINVAL for a GID that is no multicast address, or on InfiniBand a LID that
 * is none; attaching twice is counted once. */
int softhca_qp_mcast(struct softhca_qp *qp, const union ibv_gid *gid, uint16_t lid, bool attach);
/* softhca_qp_mcast_leave: detach from every group, as the kernel does when a process dies. */
void softhca_qp_mcast_leave(struct softhca_qp *qp);

/* ---- receive work queues, steering: wq.c, steer.c ---- */

struct softhca_wq_attr {
	struct softhca_pd *pd;
	struct softhca_cq *cq;
	uint64_t buf_va, db_va;
	uint32_t wqes, stride; /* entries (a power of two), bytes each */
	uint32_t user_index;
	bool signature; /* each entry starts with a 16-byte signature segment */
	struct softhca_mprq mprq;
	bool cvlan_strip, scatter_fcs;
};
/*
 * A receive work queue is a queue pair's receive half, and the engine has one structure for both:
 * it is found, named and given its `user` like a queue pair. State RESET.
 */
int softhca_wq_create(struct softhca_dev *dev, const struct softhca_wq_attr *attr,
		      struct softhca_qp **wq, uint32_t *wqn);
int softhca_wq_modify(struct softhca_qp *wq, enum ibv_wq_state state);
enum ibv_wq_state softhca_wq_state(const struct softhca_qp *wq);
int softhca_wq_destroy(struct softhca_qp *wq);

#define SOFTHCA_MAX_LOG_TABLE 11u
#define SOFTHCA_MAX_TABLES    65535u

/* An indirection table: 1 << log_size queues, some of them may be the same one. */
struct softhca_rwq_table;
int softhca_rwq_table_create(struct softhca_dev *dev, struct softhca_qp *const *wqs,
			     unsigned log_size, struct softhca_rwq_table **table, uint32_t *num);
int softhca_rwq_table_destroy(struct softhca_rwq_table *table);
unsigned softhca_rwq_table_log_size(const struct softhca_rwq_table *table);

struct softhca_rss {
	struct softhca_rwq_table *table;
	uint64_t fields; /* enum ibv_rx_hash_fields; 0: everything goes to the first queue */
	uint8_t key[40];
};

enum softhca_steer_kind {
	SOFTHCA_STEER_MULTICAST_ONLY, /* before all others */
	SOFTHCA_STEER_NORMAL,
	SOFTHCA_STEER_LEFTOVERS, /* what nobody else wants */
	SOFTHCA_STEER_SNIFFER,	 /* a copy of everything */
	SOFTHCA_STEER_EGRESS,	 /* frames that raw packet queue pairs send */
};
struct softhca_steer_attr {
	enum softhca_steer_kind kind;
	unsigned port, priority; /* a lower number goes first */
	bool dont_trap;		 /* the frame goes on to other rules as well */
	bool drop;
	struct softhca_qp *qp; /* raw packet; NULL with drop, and if `act` says where to */
	uint32_t tag;	       /* shown in the completion */
	uint8_t mask[SOFTHCA_ETH_KEY], value[SOFTHCA_ETH_KEY];
	struct softhca_flow_act act; /* what else is done */
};
struct softhca_steer;
/* softhca_steer_create: frames of a port that match go to a raw packet queue pair. Without a rule
 * a queue pair receives nothing. -EINVAL: no such port, no raw packet queue pair; -EOPNOTSUPP: the
 * port is no Ethernet. */
int softhca_steer_create(struct softhca_dev *dev, const struct softhca_steer_attr *attr,
			 struct softhca_steer **rule);
void softhca_steer_destroy(struct softhca_steer *rule);

/* ---- referee ---- */

/* Everything the referee can object to. softhca_referee_count() is for tests. */
enum softhca_rule {
	SOFTHCA_RULE_WQE_INDEX,
	SOFTHCA_RULE_DS,
	SOFTHCA_RULE_SEGMENT,
	SOFTHCA_RULE_RESERVED,
	SOFTHCA_RULE_DOORBELL_NO_RECORD,
	SOFTHCA_RULE_RECORD_NO_DOORBELL,
	SOFTHCA_RULE_BLUEFLAME,
	SOFTHCA_RULE_OVERWRITTEN,
	SOFTHCA_RULE_CQ_BACKWARDS,
	SOFTHCA_RULE_FOREIGN_PD,
	SOFTHCA_RULE_RKEY_AS_LKEY,
	SOFTHCA_RULE_BOUNDS,
	SOFTHCA_RULE_RQ_FULL,
	SOFTHCA_RULE_QPN,
	SOFTHCA_RULE_OPCODE,
	SOFTHCA_RULE_ACCESS,
	SOFTHCA_RULE_FLAGS,
	SOFTHCA_RULE_VALUE,
	SOFTHCA_RULE_NO_RECEIVE,
	SOFTHCA_RULE_DC_KEY,
	SOFTHCA_RULE_QKEY,
	SOFTHCA_RULE_ATOMIC,
	SOFTHCA_RULE_FORBIDDEN,
	SOFTHCA_RULE_RD_ATOMIC,
	SOFTHCA_RULE_PKEY,
	SOFTHCA_RULE_GID_TYPE,
	SOFTHCA_RULE_STREAM_RESET,
	SOFTHCA_RULE_BUFFER_CHANGED,
	SOFTHCA_RULE_STALE,
	SOFTHCA_RULE_SMALL_FENCE,
	SOFTHCA_RULE_MAX
};
uint64_t softhca_referee_count(const struct softhca_dev *dev, enum softhca_rule rule);
const char *softhca_referee_last(const struct softhca_dev *dev); /* the last sentence, "" if none */

/* ---- tables (queue/tables.c) ---- */

/*
 * softhca_tables_load: from now on requests are those of a user's spec library, a shared object
 * that segue_tables() has made. To be called before any device is there, once. 0, or -EINVAL with
 * the rest of a sentence in `why`.
 */
int softhca_tables_load(const char *path, char *why, size_t size);

#endif
