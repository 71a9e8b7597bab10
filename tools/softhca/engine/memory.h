/* SPDX-License-Identifier: BSD-2-Clause */
/* Protection domains, XRC domains, and keys of memory. */
#ifndef SOFTHCA_MEMORY_H
#define SOFTHCA_MEMORY_H

#include <infiniband/verbs.h>
#include <stdbool.h>

struct softhca_dev;
struct softhca_mkey; /* MR, memory window and indirect key alike */
struct softhca_pd;
struct softhca_xrcd;

#define SOFTHCA_LOG_MAX_DEKS 16u /* data encryption keys */

/* softhca_next_numbers: numbers of the next protection domain and the next doorbell page. 0:
 * any. */
void softhca_next_numbers(struct softhca_dev *dev, uint32_t pdn, uint32_t page_id);

int softhca_pd_create(struct softhca_dev *dev, struct softhca_pd **pd, uint32_t *pdn);
int softhca_pd_destroy(struct softhca_pd *pd);
struct softhca_pd *softhca_pd_find(struct softhca_dev *dev, uint32_t pdn);

/* softhca_access_check: checks a region's rights, of enum ibv_access_flags. 0 or -errno. */
int softhca_access_check(uint32_t access);
/* Rights of enum ibv_access_flags from the device's single bits. */
static inline uint32_t softhca_access_of(bool local_write, bool read, bool write, bool atomic)
{
	return (local_write ? IBV_ACCESS_LOCAL_WRITE : 0) | (read ? IBV_ACCESS_REMOTE_READ : 0) |
	       (write ? IBV_ACCESS_REMOTE_WRITE : 0) | (atomic ? IBV_ACCESS_REMOTE_ATOMIC : 0);
}

/*
 * softhca_mr_create: registers [va, va + len) so that keyed addresses start at `iova`. -EFAULT if a
 * page is not mapped, -ENOMEM for more than the machine's memory (a card pins it), -EINVAL for a
 * range that wraps around. len 0 is allowed. lkey == rkey == softhca_mkey_key().
 */
int softhca_mr_create(struct softhca_pd *pd, uint64_t va, uint64_t len, uint64_t iova,
		      uint32_t access, struct softhca_mkey **mr);
/* softhca_mr_rereg: flags is enum ibv_rereg_mr_flags. The key stays, as in mlx5's UMR. `pd` may be
 * NULL if it does not change. */
int softhca_mr_rereg(struct softhca_mkey *mr, int flags, struct softhca_pd *pd,
		     const uint64_t va_len_iova[3], uint32_t access);
/*
 * softhca_mr_advise: prefetches a piece of an on-demand region. -ENOENT: the key names none.
 * -EPERM: another PD, or `write` without local write. -EFAULT: outside, or with `touch` not mapped.
 */
int softhca_mr_advise(struct softhca_pd *pd, const struct ibv_sge *sge, bool write, bool touch);
/* softhca_mw_create: IBV_MW_TYPE_1 or _2. softhca_mkey_key() is unusable until bound. */
int softhca_mw_create(struct softhca_pd *pd, enum ibv_mw_type type, struct softhca_mkey **mw);
/* softhca_null_mkey: key that reads as zeros and ignores writes. */
uint32_t softhca_null_mkey(struct softhca_dev *dev);

enum softhca_mkey_mode {
	SOFTHCA_MKEY_PA,  /* start addresses are virtual addresses of the process */
	SOFTHCA_MKEY_MTT, /* a umem: [umem_va, umem_va + len) at address `start` */
	SOFTHCA_MKEY_KLM, /* a list of (count, key, va) */
	SOFTHCA_MKEY_KSM, /* a list of (key, va) of equal size */
};
struct softhca_klm {
	uint32_t bcount, key;
	uint64_t va;
};
/* From CREATE_MKEY (0x200), for DEVX. */
struct softhca_mkey_attr {
	enum softhca_mkey_mode mode;
	struct softhca_pd *pd;
	bool free; /* created unusable, made valid by UMR */
	bool umr_en;
	bool length64;
	uint8_t variant; /* key[7:0] */
	uint32_t access; /* IBV_ACCESS_* */
	uint32_t qpn;	 /* 0xffffff: any */
	uint64_t start, len, umem_va;
	uint8_t log_entity_size; /* KSM */
	uint32_t max_klms;	 /* translations_octword_size */
	uint32_t bsf_room;	 /* bsf_octword_size, for signature and crypto settings. 0: none */
	bool crypto;		 /* crypto_en */
	const struct softhca_klm *klms;
	uint32_t nklms;
};
int softhca_mkey_create(struct softhca_dev *dev, const struct softhca_mkey_attr *attr,
			struct softhca_mkey **mkey);
/* softhca_dev_permits: returns whether the process may use this capability (CAP_NET_RAW,
 * CAP_IPC_LOCK). Always true without config.privileges. */
bool softhca_dev_permits(const struct softhca_dev *dev, unsigned int capability);
/* softhca_mkey_destroy: MR, MW or mkey. -EBUSY for an MR to which memory windows are bound. */
int softhca_mkey_destroy(struct softhca_mkey *mkey);
uint32_t softhca_mkey_key(const struct softhca_mkey *mkey);
struct softhca_mkey *softhca_mkey_find(struct softhca_dev *dev, uint32_t key); /* exact key */

/* softhca_xrcd_create/destroy: XRC domains. The front shares them by inode. */
int softhca_xrcd_create(struct softhca_dev *dev, struct softhca_xrcd **xrcd, uint32_t *xrcdn);
int softhca_xrcd_destroy(struct softhca_xrcd *xrcd);

#endif
