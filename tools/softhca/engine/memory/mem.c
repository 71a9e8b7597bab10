/* SPDX-License-Identifier: BSD-2-Clause */
/* Protection domains and memory keys: their life cycle. access.c has the accesses through them. */
#include "tools/softhca/engine/plugins.h"
#include "tools/softhca/engine/memory/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NULL_VARIANT 0x11u
/* Flush rights of the peer (Linux 6.2), which mlx5 does not have and older headers do not name. */
#define ACCESS_FLUSH 0x300u
/* Rights that ib_check_mr_access() and mlx5 accept. */
#define ACCESS_KNOWN                                                                 \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | \
	 IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_MW_BIND | IBV_ACCESS_ZERO_BASED |     \
	 IBV_ACCESS_ON_DEMAND | IBV_ACCESS_HUGETLB | (int)IBV_ACCESS_OPTIONAL_RANGE)

void softhca_next_numbers(struct softhca_dev *dev, uint32_t pdn, uint32_t page_id)
{
	if (pdn)
		softhca_table_next(&dev->pds, pdn);
	if (page_id)
		softhca_table_next(&dev->uars, page_id);
}

int softhca_pd_create(struct softhca_dev *dev, struct softhca_pd **out, uint32_t *pdn)
{
	struct softhca_pd *pd;

	if (dev->fatal)
		return softhca_fail(-EIO, "%s is in fatal state", dev->cfg.name);
	pd = softhca_table_new(&dev->pds, sizeof(*pd), pdn);
	if (!pd)
		return -ENOMEM;
	pd->pdn = *pdn;
	pd->dev = dev;
	*out = pd;
	return 0;
}

int softhca_pd_destroy(struct softhca_pd *pd)
{
	if (!pd)
		return 0;
	if (pd->refs)
		return softhca_fail(-EBUSY, "PD %u is used by %u objects", pd->pdn, pd->refs);
	softhca_table_del(&pd->dev->pds, pd->pdn);
	free(pd);
	return 0;
}

struct softhca_pd *softhca_pd_find(struct softhca_dev *dev, uint32_t pdn)
{
	return softhca_table_get(&dev->pds, pdn);
}

int softhca_xrcd_create(struct softhca_dev *dev, struct softhca_xrcd **out, uint32_t *num)
{
	struct softhca_xrcd *xrcd;

	if (!dev->cfg.xrc)
		return softhca_fail(-EOPNOTSUPP, "%s has no XRC", dev->cfg.name);
	xrcd = softhca_table_new(&dev->xrcds, sizeof(*xrcd), num);
	if (!xrcd)
		return -ENOMEM;
	xrcd->num = *num;
	xrcd->dev = dev;
	*out = xrcd;
	return 0;
}

int softhca_xrcd_destroy(struct softhca_xrcd *xrcd)
{
	if (!xrcd)
		return 0;
	if (xrcd->refs)
		return softhca_fail(-EBUSY, "XRC domain %u is used by %u objects", xrcd->num,
				    xrcd->refs);
	softhca_table_del(&xrcd->dev->xrcds, xrcd->num);
	free(xrcd);
	return 0;
}

/* ---- keys ---- */

struct the_memory the_memory;

/* Gives the key a slot and a number. Its lower 8 bits change, so that old keys are noticed. */
static int key_add(struct softhca_dev *dev, struct softhca_pd *pd, struct softhca_mkey **out)
{
	struct softhca_mkey *mkey;
	uint32_t idx;

	if (dev->fatal)
		return softhca_fail(-EIO, "%s is in fatal state", dev->cfg.name);
	mkey = softhca_table_new(&dev->mkeys, sizeof(*mkey), &idx);
	if (!mkey)
		return -ENOMEM;
	the_memory.variant += 0x11;
	mkey->dev = dev;
	mkey->pd = pd;
	mkey->key = idx << 8 | the_memory.variant;
	mkey->qpn = SOFTHCA_NUM_MASK;
	if (pd)
		pd->refs++;
	*out = mkey;
	return 0;
}

/* Size of the memory. It is asked for once, because the kernel needs a while for the answer. */
static uint64_t pinnable(void)
{
	if (!the_memory.pinnable)
		the_memory.pinnable = (uint64_t)sysconf(_SC_PHYS_PAGES) *
				      (uint64_t)sysconf(_SC_PAGESIZE);
	return the_memory.pinnable;
}

/*
 * Checks a range before registration. The card pins it, so it cannot be larger than memory.
 * On-demand ranges need not exist yet.
 */
static int check_range(const struct softhca_dev *dev, const struct softhca_mkey *instead,
		       uint32_t access, uint64_t va, uint64_t len)
{
	int err;

	if (access & IBV_ACCESS_ON_DEMAND)
		return 0;
	if (va + len < va)
		return softhca_fail(-EINVAL, "the range goes around the end of the address space");
	if (len > pinnable())
		return softhca_fail(-ENOMEM, "%llu bytes cannot be pinned, the machine has %llu",
				    (unsigned long long)len, (unsigned long long)pinnable());
	err = softhca_pin_check(va, len, access);
	return err ? err : softhca_pin_limit(dev, instead, va, len);
}

int softhca_access_check(uint32_t access)
{
	const uint32_t odd = access & ~(uint32_t)ACCESS_KNOWN;

	if (access & (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC) &&
	    !(access & IBV_ACCESS_LOCAL_WRITE))
		return softhca_fail(-EINVAL, "remote write or atomic access needs local write");
	return odd ? softhca_fail(odd & ~ACCESS_FLUSH ? -EINVAL : -EOPNOTSUPP,
				  "access flags 0x%x: 0x%x are not supported", access, odd)
		   : 0;
}

static int check_access(const struct softhca_dev *dev, uint64_t len, uint32_t access)
{
	if (len > dev->cfg.max_mr_size)
		return softhca_fail(-EINVAL, "a region of %llu bytes is above the limit",
				    (unsigned long long)len);
	return softhca_access_check(access);
}

int softhca_mr_create(struct softhca_pd *pd, uint64_t va, uint64_t len, uint64_t iova,
		      uint32_t access, struct softhca_mkey **out)
{
	struct softhca_mkey *mr = NULL;
	int err = check_access(pd->dev, len, access);

	err = err ? err : check_range(pd->dev, NULL, access, va, len);
	if (err)
		return err;
	if (access & IBV_ACCESS_ON_DEMAND && !pd->dev->cfg.odp)
		return softhca_fail(-EOPNOTSUPP, "%s has no on-demand paging", pd->dev->cfg.name);
	if (pd->dev->mkeys.used >= pd->dev->cfg.max_mr)
		return softhca_fail(-ENOMEM, "all %u regions are in use", pd->dev->cfg.max_mr);
	err = key_add(pd->dev, pd, &mr);
	if (err)
		return err;
	mr->kind = SOFTHCA_KEY_MR;
	mr->access = access;
	/* mlx5_ib ignores IBV_ACCESS_ZERO_BASED. Only addresses of device memory begin at 0. */
	mr->start = iova;
	mr->len = len;
	mr->base = va;
	softhca_pin(mr);
	*out = mr;
	return 0;
}

int softhca_mr_rereg(struct softhca_mkey *mr, int flags, struct softhca_pd *pd,
		     const uint64_t va_len_iova[3], uint32_t access)
{
	const int known = IBV_REREG_MR_CHANGE_TRANSLATION | IBV_REREG_MR_CHANGE_PD |
			  IBV_REREG_MR_CHANGE_ACCESS;
	uint32_t new_access = flags & IBV_REREG_MR_CHANGE_ACCESS ? access : mr->access;
	bool move = flags & IBV_REREG_MR_CHANGE_TRANSLATION;
	int err;

	if (mr->kind != SOFTHCA_KEY_MR || !flags || flags & ~known)
		return softhca_fail(-EINVAL, "key 0x%x cannot be re-registered with flags 0x%x",
				    mr->key, (unsigned)flags);
	if (mr->refs)
		return softhca_fail(-EBUSY, "MR 0x%x has %u memory windows", mr->key, mr->refs);
	err = check_access(mr->dev, move ? va_len_iova[1] : mr->len, new_access);
	if (!err && move)
		err = check_range(mr->dev, mr, new_access, va_len_iova[0], va_len_iova[1]);
	else if (!err && softhca_pin_writes(new_access) &&
		 !softhca_pin_writes(mr->access)) /* pinned again */
		err = check_range(mr->dev, mr, new_access, mr->base, mr->len);
	if (err)
		return err;
	if (flags & IBV_REREG_MR_CHANGE_PD) {
		if (!pd || pd->dev != mr->dev)
			return softhca_fail(-EINVAL, "re-registration names no PD of this device");
		mr->pd->refs--;
		mr->pd = pd;
		pd->refs++;
	}
	if (move)
		softhca_unpin(mr);
	mr->access = new_access;
	if (move) {
		mr->base = va_len_iova[0];
		mr->len = va_len_iova[1];
		mr->start = va_len_iova[2];
		softhca_pin(mr);
	}
	return 0;
}

int softhca_mr_advise(struct softhca_pd *pd, const struct ibv_sge *sge, bool write, bool touch)
{
	const struct softhca_mkey *mr = softhca_mkey_find(pd->dev, sge->lkey);
	uint64_t at, end;
	uint8_t byte;

	if (!mr || mr->kind != SOFTHCA_KEY_MR || !(mr->access & IBV_ACCESS_ON_DEMAND))
		return softhca_fail(-ENOENT, "key 0x%x is no on-demand region", sge->lkey);
	if (mr->pd != pd || (write && !(mr->access & IBV_ACCESS_LOCAL_WRITE)))
		return softhca_fail(-EPERM, "key 0x%x is of another PD or read-only", sge->lkey);
	if (sge->addr < mr->start || sge->addr - mr->start > mr->len ||
	    sge->length > mr->len - (sge->addr - mr->start))
		return softhca_fail(-EFAULT, "the range is not within region 0x%x", sge->lkey);
	at = mr->base + (sge->addr - mr->start);
	end = at + sge->length;
	for (; touch && at < end; at = (at | 4095) + 1)
		if (softhca_copy_in(&byte, at, 1))
			return softhca_fail(-EFAULT, "0x%llx is not mapped",
					    (unsigned long long)at);
	return 0;
}

int softhca_mw_create(struct softhca_pd *pd, enum ibv_mw_type type, struct softhca_mkey **out)
{
	struct softhca_mkey *mw = NULL;
	int err;

	if (!pd->dev->cfg.mw)
		return softhca_fail(-EOPNOTSUPP, "%s has no memory windows", pd->dev->cfg.name);
	if (type != IBV_MW_TYPE_1 && type != IBV_MW_TYPE_2)
		return softhca_fail(-EINVAL, "memory window type %d does not exist", (int)type);
	err = key_add(pd->dev, pd, &mw);
	if (err)
		return err;
	mw->kind = type == IBV_MW_TYPE_1 ? SOFTHCA_KEY_MW1 : SOFTHCA_KEY_MW2;
	mw->free = true;
	mw->umr_en = true;
	mw->max_klms = 1;
	*out = mw;
	return 0;
}

uint32_t softhca_null_mkey(struct softhca_dev *dev)
{
	return dev->null_mkey->key;
}

/* softhca_null_key_create: reads zeros, swallows writes, belongs to every PD. */
int softhca_null_key_create(struct softhca_dev *dev)
{
	int err = key_add(dev, NULL, &dev->null_mkey);

	if (err)
		return err;
	/* A constant variant: a forked child has the same key, and its driver asks only once. */
	dev->null_mkey->key = (dev->null_mkey->key & ~0xffu) | NULL_VARIANT;
	dev->null_mkey->kind = SOFTHCA_KEY_NULL;
	dev->null_mkey->access = IBV_ACCESS_LOCAL_WRITE;
	dev->null_mkey->len = UINT64_MAX;
	return 0;
}

int softhca_mkey_create(struct softhca_dev *dev, const struct softhca_mkey_attr *attr,
			struct softhca_mkey **out)
{
	struct softhca_mkey *mkey = NULL;
	int err;

	if (!attr->pd || attr->pd->dev != dev)
		return softhca_fail(-EINVAL, "the key names no PD of this device");
	if (attr->nklms > attr->max_klms || attr->max_klms > SOFTHCA_MAX_KLMS)
		return softhca_fail(-EINVAL, "%u entries do not fit into %u", attr->nklms,
				    attr->max_klms);
	if (attr->bsf_room && ((!dev->cfg.sig && !dev->cfg.crypto) || !the_engine.offload))
		return softhca_fail(-EOPNOTSUPP, "%s has neither signature nor crypto offload",
				    dev->cfg.name);
	if (attr->crypto && (!dev->cfg.crypto || !attr->bsf_room))
		return softhca_fail(-EINVAL, "a crypto key without room for its settings, or "
					     "without a device that can do it");
	err = attr->mode == SOFTHCA_MKEY_MTT && !attr->free
		      ? check_range(dev, NULL, attr->access, attr->umem_va, attr->len)
		      : 0;
	if (err)
		return err;
	err = key_add(dev, attr->pd, &mkey);
	if (err)
		return err;
	mkey->key = (mkey->key & ~0xffu) | attr->variant;
	mkey->access = attr->access;
	mkey->free = attr->free;
	mkey->umr_en = attr->umr_en;
	mkey->qpn = attr->qpn;
	mkey->start = attr->start;
	mkey->len = attr->length64 ? UINT64_MAX - attr->start : attr->len;
	mkey->max_klms = attr->max_klms;
	mkey->bsf_room = attr->bsf_room;
	mkey->crypto = attr->crypto;
	mkey->bsf_on = attr->bsf_room;
	if (attr->bsf_room)
		dev->offload_keys = true;
	mkey->ksm_shift = attr->mode == SOFTHCA_MKEY_KSM ? attr->log_entity_size : 0;
	if (attr->mode == SOFTHCA_MKEY_PA || attr->mode == SOFTHCA_MKEY_MTT) {
		mkey->kind = SOFTHCA_KEY_MR;
		mkey->base = attr->mode == SOFTHCA_MKEY_PA ? attr->start : attr->umem_va;
		if (attr->mode == SOFTHCA_MKEY_MTT)
			softhca_pin(mkey);
		*out = mkey;
		return 0;
	}
	mkey->kind = SOFTHCA_KEY_INDIRECT;
	err = softhca_mkey_set_klms(mkey, attr->klms, attr->nklms);
	if (err) {
		softhca_mkey_destroy(mkey);
		return err;
	}
	*out = mkey;
	return 0;
}

int softhca_mkey_set_klms(struct softhca_mkey *mkey, const struct softhca_klm *klms, uint32_t n)
{
	struct softhca_klm *copy = NULL;

	if (n) {
		copy = malloc(n * sizeof(*copy));
		if (!copy)
			return softhca_fail(-ENOMEM, "out of memory");
		memcpy(copy, klms, n * sizeof(*copy));
	}
	free(mkey->klm);
	mkey->klm = copy;
	mkey->nklms = n;
	free(mkey->strided);
	mkey->strided = NULL;
	mkey->nstrided = 0;
	return 0;
}

/* Detaches a memory window from its region. */
void softhca_mw_unbind(struct softhca_mkey *mw)
{
	if (mw->parent) {
		mw->parent->refs--;
		mw->parent = NULL;
	}
	mw->free = true;
	mw->len = 0;
}

int softhca_mkey_destroy(struct softhca_mkey *mkey)
{
	if (!mkey)
		return 0;
	if (mkey->refs)
		return softhca_fail(-EBUSY, "MR 0x%x has %u memory windows bound to it", mkey->key,
				    mkey->refs);
	softhca_mw_unbind(mkey);
	softhca_unpin(mkey);
	softhca_table_del(&mkey->dev->mkeys, mkey->key >> 8);
	if (mkey->pd)
		mkey->pd->refs--;
	if (the_engine.offload)
		the_engine.offload->unset(mkey);
	free(mkey->klm);
	free(mkey->strided);
	free(mkey);
	return 0;
}

uint32_t softhca_mkey_key(const struct softhca_mkey *mkey)
{
	return mkey->key;
}

struct softhca_mkey *softhca_mkey_find(struct softhca_dev *dev, uint32_t key)
{
	struct softhca_mkey *mkey = softhca_table_get(&dev->mkeys, key >> 8);

	return mkey && mkey->key == key ? mkey : NULL;
}
