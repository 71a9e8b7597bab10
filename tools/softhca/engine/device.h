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

/* Capabilities of InfiniBand ports in the form of PortInfo and verbs. */
#define SOFTHCA_PORT_CAPS_IB 0x2651e848u

enum softhca_link { SOFTHCA_LINK_IB = 1, SOFTHCA_LINK_ROCE = 2 };

/* Capabilities that SOFTHCA_CAPS in the environment may change: type, name and default. */
#define SOFTHCA_CAPS(CAP)                                                                       \
	CAP(uint8_t, cqe_version, 1) /* 0: CQEs carry qpn/srqn. 1: the user index */            \
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
	/* one group is for Ethernet broadcast frames */                                        \
	CAP(uint32_t, max_mcast_grp, SOFTHCA_WIRE_GROUPS - 1)                                   \
	CAP(uint32_t, max_mcast_qp, 240)                                                        \
	CAP(uint32_t, max_inline, 992) /* limit of the WQE ABI for max_sq_desc_sz */            \
	CAP(uint32_t, max_sq_desc_sz, 1024)                                                     \
	CAP(uint32_t, max_rq_desc_sz, 512)                                                      \
	CAP(uint64_t, max_mr_size, UINT64_MAX)                                                  \
	CAP(uint32_t, max_memcpy, UINT32_C(1) << 31) /* bytes, a power of two */                \
	CAP(uint8_t, max_dci_log_streams, 5)                                                    \
	/* options of connections, version 1, which libmlx5 queries. 0: none */                 \
	CAP(uint32_t, ece, 0x10000003)                                                          \
	/* data paths that may be disabled */                                                   \
	CAP(bool, atomics, true)                                                                \
	CAP(bool, masked_atomics, true)                                                         \
	CAP(bool, xrc, true)                                                                    \
	CAP(bool, dc, true)                                                                     \
	CAP(bool, raw_packet, true)                                                             \
	CAP(bool, inline_headers, false) /* frames need their first bytes in the WQE */         \
	CAP(bool, mw, true)                                                                     \
	CAP(bool, umr, true)                                                                    \
	CAP(bool, mmo, true)                                                                    \
	/* only queue pairs created for memory copies make them, as with dma_mmo_qp */          \
	CAP(bool, mmo_asked, false)                                                             \
	/* receives of a DCT complete with number 0 in CQEs of version 1 */                     \
	CAP(bool, dct_nameless, false)                                                          \
	/* for entries of 64 bytes, and for entries of 128 bytes */                             \
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
	CAP(uint8_t, lag_ports, 0)	 /* ports bonded into each Ethernet port. 0: none */    \
	CAP(int, numa_node, -1)		 /* node of the card, as in sysfs. -1: it is unknown */ \
	CAP(bool, sig, true)		 /* signature offload */                                \
	CAP(bool, crypto, true)		 /* AES-XTS offload */                                  \
	CAP(bool, crypto_wrapped, false) /* keys are loaded wrapped, after a login */           \
	/* several data units per key, and tweaks big-endian */                                 \
	CAP(bool, crypto_multi_block, true)                                                     \
	/* a memfd may stand for a DMA buffer if no driver makes one */                         \
	CAP(bool, memfd_dmabuf, false)                                                          \
	/* the process needs the kernel's privileges, see softhca_dev_permits() */              \
	CAP(bool, privileges, false)                                                            \
	/* programs may use SQD, which the kernel's driver refuses */                           \
	CAP(bool, sqd, false)                                                                   \
	/* completions have timestamps, and programs can read the clock */                      \
	CAP(bool, timestamps, true)

/* Options of a device. softhca_config_init() sets those of a ConnectX-6. */
struct softhca_config {
	char name[32];	/* "mlx5_0", for messages */
	unsigned index; /* 0-based number of this device in the process, part of its addresses */
	unsigned nports;
	enum softhca_link link[SOFTHCA_MAX_PORTS];
	uint64_t node_guid;  /* host order. 0: derived from the claimed address */
	enum ibv_mtu max_mtu;
	bool mtu_asked; /* set by the user. Packets above the interface's MTU are fragmented */
#define FIELD(type, name, usual) type name;
	SOFTHCA_CAPS(FIELD)
#undef FIELD
	bool strict; /* the referee aborts at the first violation */
	bool remarks; /* it also reports old bytes in reserved places that cards ignore */
	bool watch;  /* buffers of requests are summed up at the post and at the completion */
	uint32_t gather_ns; /* delay after the post until a payload is read. 0: in the post */
	/* delay of each request, and largest random addition to it */
	uint32_t latency_ns, jitter_ns;
	uint32_t seed;			/* of the jitter */
	/* time without a receive after which the referee reports a message. 0: 5000 */
	unsigned patience_ms;
	const char
		*referee_json; /* file that the referee appends to, or NULL. Outlives the device */
	/* folder for the rings of destroyed queues, or NULL. It must outlive the device */
	const char *dump;
};

/* Largest payload of one TSO in bytes. */
#define SOFTHCA_MAX_TSO (1u << 18)

void softhca_config_init(struct softhca_config *cfg);

/* Callbacks from the engine to the front, with the lock held, by the device thread or in a call. */
struct softhca_ops {
	/* Completion channel event of an armed `cq`. */
	void (*cq_event)(void *arg, struct softhca_cq *cq);
	/*
	 * Asynchronous event. `type` is an enum ibv_event_type. `obj` is the struct softhca_cq, _qp
	 * or _srq concerned, or NULL for port and device events. `port` is its number or 0.
	 */
	void (*async_event)(void *arg, enum ibv_event_type type, void *obj, unsigned port);
};

/*
 * softhca_dev_create: claims addresses on the wire and returns a live device with all ports ACTIVE.
 * `ops` and `arg` must outlive it; `cfg` is copied.
 */
int softhca_dev_create(const struct softhca_config *cfg, const struct softhca_ops *ops, void *arg,
		       struct softhca_dev **dev);
/* softhca_dev_destroy: frees the device and its objects, in the order of a process's death. */
void softhca_dev_destroy(struct softhca_dev *dev);
const struct softhca_config *softhca_dev_config(const struct softhca_dev *dev);
uint64_t softhca_dev_guid(const struct softhca_dev *dev); /* host order */
/* softhca_dev_by_index: the idx-th live device of this process, or NULL. */
struct softhca_dev *softhca_dev_by_index(unsigned idx);
/* softhca_dev_fatal: raises IBV_EVENT_DEVICE_FATAL. Queues are dead, creators fail with -EIO. */
void softhca_dev_fatal(struct softhca_dev *dev);
/* softhca_dev_clock: the device's free-running 1 GHz counter, as in CQE timestamps. */
uint64_t softhca_dev_clock(const struct softhca_dev *dev);

/*
 * softhca_clock_add: from now on the first 8 bytes of `page` (big-endian) follow that counter. They
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
/* 0 and an all-zero gid for an empty entry. `type`: 0 for IB/RoCE v1, 1 for RoCE v2. */
int softhca_gid_query(struct softhca_dev *dev, unsigned port, unsigned index, union ibv_gid *gid,
		      unsigned *type);
int softhca_pkey_query(struct softhca_dev *dev, unsigned port, unsigned index, uint16_t *pkey);
/* softhca_pkey_set: replaces a P_Key (0 matches no packet) and raises PKEY_CHANGE. */
int softhca_pkey_set(struct softhca_dev *dev, unsigned port, unsigned index, uint16_t pkey);
/* softhca_port_set: sets ACTIVE or DOWN. Raises PORT_ACTIVE or PORT_ERR on a change. */
int softhca_port_set(struct softhca_dev *dev, unsigned port, enum ibv_port_state state);
/* softhca_gid_set: replaces a GID (all zero removes it) and raises GID_CHANGE. */
int softhca_gid_set(struct softhca_dev *dev, unsigned port, unsigned index,
		    const union ibv_gid *gid);
/* softhca_dev_async: raises any event for a fault plan. `num` is of a QP, CQ or SRQ, or 0. */
int softhca_dev_async(struct softhca_dev *dev, enum ibv_event_type type, uint32_t num,
		      unsigned port);
/*
 * softhca_mac_resolve: destination MAC for an address vector on a RoCE port (answer to CREATE_AH).
 * -EHOSTUNREACH if softhca can reach no device with this GID.
 */
int softhca_mac_resolve(struct softhca_dev *dev, const struct ibv_ah_attr *ah, uint8_t mac[6]);
/* softhca_ah_check: the checks of ib_create_ah() / modify_qp on an address vector: port, GID index,
 * GRH on RoCE, LID. softhca_ah_check_source: the checks without a destination. */
int softhca_ah_check(struct softhca_dev *dev, const struct ibv_ah_attr *ah);
int softhca_ah_check_source(struct softhca_dev *dev, const struct ibv_ah_attr *ah);

/* ---- doorbell pages (UAR) ---- */

/*
 * softhca_uar_create: `page` is the device's own mapping (a shared alias, always writable) of one 4
 * KB doorbell page. `*page_id` is never 0. softhca_uar_destroy: -EBUSY while a QP or CQ refers to
 * the page. The front keeps the memory of the page.
 */
int softhca_uar_create(struct softhca_dev *dev, void *page, struct softhca_uar **uar,
		       uint32_t *page_id);
int softhca_uar_destroy(struct softhca_uar *uar);
void *softhca_uar_page(const struct softhca_uar *uar);
/*
 * softhca_uar_scan: checks every doorbell register of a page, carries the doorbells out and returns
 * their number. It also compares BlueFlame bytes with the ring. softhca_uar_scan_store: does so in
 * trap mode, synchronously after the storing thread's store at byte `offset` of the page. It
 * compares only the bytes of that register, since other threads' stores may be incomplete.
 */
int softhca_uar_scan(struct softhca_uar *uar);
int softhca_uar_scan_store(struct softhca_uar *uar, size_t offset);
/* [unlocked] softhca_uar_store_begins: trap mode: a thread is about to store at byte `offset` of
 * the page, until softhca_uar_store_ends (with the lock). */
void softhca_uar_store_begins(struct softhca_uar *uar, size_t offset);
void softhca_uar_store_ends(struct softhca_uar *uar);
/*
 * softhca_uar_set_trapped: trap mode: sets whether this page's stores are trapped. Untrapped pages,
 * which the program mapped by itself, are polled even with skip_doorbells.
 */
void softhca_uar_set_trapped(struct softhca_uar *uar, bool trapped);

#endif
