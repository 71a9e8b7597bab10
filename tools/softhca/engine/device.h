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
	uint32_t ece; /* options of connections that it knows; 0: it has none */
	/* data paths that may be switched off */
	bool atomics, masked_atomics, xrc, dc, raw_packet, mw, umr, mmo, inline_scatter, odp, qos,
		cqe_compression, tag_matching, tso, wait_cq, wait_on_data, wait_on_time,
		relaxed_umr;
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

#endif
