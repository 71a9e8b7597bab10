/* SPDX-License-Identifier: BSD-2-Clause */
/* Devices, their ports, and their doorbell pages. */
#ifndef SOFTHCA_DEVICE_H
#define SOFTHCA_DEVICE_H

#include <infiniband/verbs.h>
#include <stdbool.h>

struct softhca_cq;
struct softhca_dev;
struct softhca_uar;

#define SOFTHCA_MAX_PORTS 4
#define SOFTHCA_GIDS	  16
#define SOFTHCA_PKEYS	  2
#define SOFTHCA_UAR_SIZE  4096u
#define SOFTHCA_LOG_MAX_MSG 30u /* bytes of the longest message */

/* What InfiniBand ports can do, as PortInfo and verbs say it. */
#define SOFTHCA_PORT_CAPS_IB 0x2651e848u

enum softhca_link { SOFTHCA_LINK_IB = 1, SOFTHCA_LINK_ROCE = 2 };

/* What SOFTHCA_CAPS in the environment may change: type, name, and what is usual. */
#define SOFTHCA_CAPS(CAP)                                                                       \
	CAP(uint8_t, cqe_version, 1) /* 0: CQEs carry qpn/srqn; 1: the user index */            \
	/* limits, also the answers to QUERY_DEVICE */                                          \
	CAP(uint32_t, max_qp, 131072)                                                           \
	CAP(uint32_t, max_qp_wr, 32768)                                                         \
	CAP(uint32_t, max_sge, 30)                                                              \
	CAP(uint32_t, max_sge_rd, 30)                                                           \
	CAP(uint32_t, max_cq, 1 << 20)                                                          \
	CAP(uint32_t, max_cqe, 4194303)                                                         \
	CAP(uint32_t, max_mr, 1 << 20)                                                          \
	CAP(uint32_t, max_pd, 1 << 20)                                                          \
	CAP(uint32_t, max_mw, 1 << 20)                                                          \
	CAP(uint32_t, max_ah, 0x7fffffff)                                                       \
	CAP(uint32_t, max_srq, 1 << 20)                                                         \
	CAP(uint32_t, max_srq_wr, 32767)                                                        \
	CAP(uint32_t, max_srq_sge, 31)                                                          \
	CAP(uint32_t, max_qp_rd_atom, 16)                                                       \
	CAP(uint32_t, max_qp_init_rd_atom, 16)                                                  \
	/* one is for Ethernet frames to everybody */                                           \
	CAP(uint32_t, max_mcast_grp, SOFTHCA_WIRE_GROUPS - 1)                                   \
	CAP(uint32_t, max_mcast_qp, 240)                                                        \
	CAP(uint32_t, max_inline, 992) /* of the WQE ABI: what fits into max_sq_desc_sz */      \
	CAP(uint32_t, max_sq_desc_sz, 1024)                                                     \
	CAP(uint32_t, max_rq_desc_sz, 512)                                                      \
	CAP(uint64_t, max_mr_size, UINT64_MAX)                                                  \
	CAP(uint32_t, max_memcpy, UINT32_C(1) << 31) /* bytes, a power of two */                \
	CAP(uint8_t, max_dci_log_streams, 5)                                                    \
	/* options of connections, of version 1, which libmlx5 asks for; 0: it has none */      \
	CAP(uint32_t, ece, 0x10000003)                                                          \
	/* data paths that may be switched off */                                               \
	CAP(bool, atomics, true)                                                                \
	CAP(bool, masked_atomics, true)                                                         \
	CAP(bool, xrc, true)                                                                    \
	CAP(bool, dc, true)                                                                     \
	CAP(bool, raw_packet, true)                                                             \
	CAP(bool, mw, true)                                                                     \
	CAP(bool, umr, true)                                                                    \
	CAP(bool, mmo, true)                                                                    \
	/* only queue pairs told to allow memory copies make some, as with dma_mmo_qp */        \
	CAP(bool, mmo_asked, false)                                                             \
	/* receives of a DCT complete with number 0 in CQEs of version 1 */                     \
	CAP(bool, dct_nameless, false)                                                          \
	/* of entries of 64 bytes, and of those of 128 */                                       \
	CAP(bool, cqe_compression, true)                                                        \
	CAP(bool, cqe_compression_128, true)                                                    \
	CAP(bool, tag_matching, true)                                                           \
	CAP(bool, tso, true)                                                                    \
	CAP(bool, wait_cq, true)                                                                \
	CAP(bool, wait_on_data, true)                                                           \
	CAP(bool, wait_on_time, true)                                                           \
	CAP(bool, relaxed_umr, true)                                                            \
	CAP(bool, inline_scatter, true)                                                         \
	CAP(bool, odp, true)                                                                    \
	CAP(bool, qos, true)                                                                    \
	CAP(uint8_t, lag_ports, 0)	 /* bonded into each Ethernet port; 0: none */          \
	CAP(int, numa_node, -1)		 /* that sysfs says the card is on; -1: nobody knows */ \
	CAP(bool, sig, true)		 /* signature offload */                                \
	CAP(bool, crypto, true)		 /* AES-XTS offload */                                  \
	CAP(bool, crypto_wrapped, false) /* keys are loaded wrapped, after a login */           \
	/* more than one data unit per key, and tweaks big-endian */                            \
	CAP(bool, crypto_multi_block, true)                                                     \
	/* a memfd may stand for a DMA buffer, where there is nothing that makes one */         \
	CAP(bool, memfd_dmabuf, false)                                                          \
	/* the process needs those that the kernel asks for, see softhca_dev_permits() */       \
	CAP(bool, privileges, false)                                                            \
	/* programs may ask for SQD, which the kernel's driver refuses */                       \
	CAP(bool, sqd, false)                                                                   \
	/* completions are stamped, and programs are told of the clock */                       \
	CAP(bool, timestamps, true)

/* All that may be chosen of a device; softhca_config_init() fills in what is like a ConnectX-6. */
struct softhca_config {
	char name[32];	/* "mlx5_0": for messages */
	unsigned index; /* 0-based number of this device in the process: takes part in addressing */
	unsigned nports;
	enum softhca_link link[SOFTHCA_MAX_PORTS];
	uint64_t node_guid;  /* host order; 0: derived from the claimed address */
	enum ibv_mtu max_mtu;
	bool mtu_asked; /* by the user: more than the interface carries goes in fragments */
#define FIELD(type, name, usual) type name;
	SOFTHCA_CAPS(FIELD)
#undef FIELD
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

#endif
