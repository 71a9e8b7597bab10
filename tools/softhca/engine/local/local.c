/* SPDX-License-Identifier: BSD-2-Clause */
/* Work that stays inside the device: UMR, memory windows, invalidation. */
#include "tools/softhca/engine/plugins.h"
#include "tools/softhca/engine/memory/mem.h"
#include "tools/softhca/engine/queue/wqe.h"

#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>
#include <string.h>

#include "segue/gen/enums.h"
#include "segue/gen/segments.h"

#define INTERLEAVED 0x400u
#define RELAXED (SEGUE_MKEY_MASK_RELAXED_ORDERING_WRITE | SEGUE_MKEY_MASK_RELAXED_ORDERING_READ)

/* Content of a UMR WQE, in host order. */
struct umr {
	uint8_t flags;
	uint64_t mask;
	uint16_t octowords;
	struct mlx5_wqe_mkey_context_seg mkc;
	const uint8_t *list; /* after the context, inside the WQE */
	size_t list_size;
	uint16_t bsf_octowords; /* after the list */
	bool bsf_on;
	uint8_t sig_expected;
};

static uint32_t access_of(uint8_t flags)
{
	return softhca_access_of(flags & MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_LOCAL_WRITE,
				 flags & MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_REMOTE_READ,
				 flags & MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_REMOTE_WRITE,
				 flags & MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_ATOMIC);
}

/* Access bits that the mask marks as given. */
static uint32_t access_mask(uint64_t mask)
{
	return softhca_access_of(mask & MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_LOCAL_WRITE,
				 mask & MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_REMOTE_READ,
				 mask & MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_REMOTE_WRITE,
				 mask & MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_ATOMIC);
}

static void parse_umr(const struct softhca_ctrl *ctrl, const uint8_t *raw, struct umr *umr)
{
	struct segue_seg_mkey_context mkc;
	struct mlx5_wqe_umr_ctrl_seg seg;
	const size_t head = 16 + sizeof(seg) + sizeof(umr->mkc);

	memcpy(&seg, raw + 16, sizeof(seg));
	memcpy(&umr->mkc, raw + 16 + sizeof(seg), sizeof(umr->mkc));
	umr->flags = seg.flags;
	umr->mask = be64toh(seg.mkey_mask);
	umr->octowords = be16toh(seg.klm_octowords);
	segue_seg_mkey_context_unpack(&mkc, raw + 16 + sizeof(seg));
	umr->bsf_on = mkc.bsf_en;
	umr->sig_expected = mkc.expected_sigerr_count;
	/* With an offset into the list the field is the low half of that offset. */
	umr->bsf_octowords = seg.flags & MLX5_WQE_UMR_CTRL_FLAG_TRNSLATION_OFFSET
				     ? 0
				     : be16toh(seg.bsf_octowords);
	umr->list = raw + head;
	umr->list_size = ctrl->ds * 16u - head;
}

/* Key that a UMR works on. Its variant matters while it is valid (a window may have no name). */
static struct softhca_mkey *umr_target(struct softhca_qp *qp, uint32_t key)
{
	struct softhca_mkey *k = softhca_table_get(&qp->dev->mkeys, key >> 8);
	const char *why = NULL;

	if (!k || (!k->free && k->key != key))
		why = "does not exist";
	else if (k->pd != qp->pd)
		why = "belongs to another PD";
	else if (!k->umr_en)
		why = "was not created for UMR";
	if (!why)
		return k;
	softhca_referee(qp, SOFTHCA_RULE_ACCESS, "UMR on key 0x%x, which %s", key, why);
	return NULL;
}

static int bind_failed(struct softhca_qp *qp, uint32_t key, const char *why)
{
	softhca_referee(qp, SOFTHCA_RULE_ACCESS, "memory window 0x%x cannot be bound: %s", key,
			why);
	return SOFTHCA_MW_BIND;
}

/* The range may exceed the region, because a card checks it at its use (rdma-unit-test's table). */
static int bind_window(struct softhca_qp *qp, struct softhca_mkey *mw, const struct umr *umr)
{
	uint64_t len = be64toh(umr->mkc.len), va;
	uint32_t access = access_of(umr->mkc.access_flags);
	struct mlx5_wqe_umr_klm_seg klm;
	struct softhca_mkey *mr;

	if (umr->list_size < sizeof(klm))
		return bind_failed(qp, mw->key, "the WQE has no region");
	memcpy(&klm, umr->list, sizeof(klm));
	va = be64toh(klm.address);
	mr = softhca_mkey_find(qp->dev, be32toh(klm.mkey));
	if (!mr || mr->free || mr->kind != SOFTHCA_KEY_MR || mr->pd != mw->pd)
		return bind_failed(qp, mw->key, "the region's key is not one of this PD");
	if (!(mr->access & IBV_ACCESS_MW_BIND))
		return bind_failed(qp, mw->key,
				   "the region was registered without IBV_ACCESS_MW_BIND");
	if (access & (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC) &&
	    !(mr->access & IBV_ACCESS_LOCAL_WRITE))
		return bind_failed(qp, mw->key,
				   "write access through a region without local write");
	if (mw->kind == SOFTHCA_KEY_MW2 && !mw->free)
		return bind_failed(qp, mw->key, "a type 2 window must be invalidated first");
	softhca_mw_unbind(mw);
	mw->parent = mr;
	mr->refs++;
	mw->access = access;
	mw->base = va;
	mw->start = be64toh(umr->mkc.start_addr);
	mw->len = len;
	mw->qpn = mw->kind == SOFTHCA_KEY_MW2 ? qp->qpn : SOFTHCA_NUM_MASK;
	mw->free = false;
	return SOFTHCA_OK;
}

static int unbind_window(struct softhca_qp *qp, struct softhca_mkey *mw, const struct umr *umr)
{
	if (umr->flags & MLX5_WQE_UMR_CTRL_FLAG_CHECK_QPN && (mw->free || mw->qpn != qp->qpn))
		return bind_failed(qp, mw->key, "it is not bound to this QP");
	softhca_mw_unbind(mw);
	return SOFTHCA_OK;
}

static int umr_window(struct softhca_qp *qp, struct softhca_mkey *mw, const struct umr *umr)
{
	bool unbind = umr->mkc.free & MLX5_WQE_MKEY_CONTEXT_FREE || !be64toh(umr->mkc.len);
	int err = unbind ? unbind_window(qp, mw, umr) : bind_window(qp, mw, umr);

	if (!err && umr->mask & MLX5_WQE_UMR_CTRL_MKEY_MASK_MKEY)
		mw->key = (mw->key & ~0xffu) | (be32toh(umr->mkc.qpn_mkey) & 0xff);
	return err;
}

static bool set_strided(struct softhca_mkey *k, const uint8_t *list, size_t size)
{
	struct mlx5_wqe_umr_repeat_block_seg head;
	struct mlx5_wqe_umr_repeat_ent_seg ent;
	struct softhca_strided *strided;
	uint32_t n;

	memcpy(&head, list, sizeof(head));
	n = be16toh(head.num_ent);
	if (!n || sizeof(head) + n * sizeof(ent) > size)
		return false;
	strided = calloc(n, sizeof(*strided));
	if (!strided)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		memcpy(&ent, list + sizeof(head) + i * sizeof(ent), sizeof(ent));
		strided[i].va = be64toh(ent.va);
		strided[i].key = be32toh(ent.memkey);
		strided[i].count = be16toh(ent.byte_count);
		strided[i].stride = be16toh(ent.stride);
	}
	softhca_mkey_set_klms(k, NULL, 0);
	k->strided = strided;
	k->nstrided = n;
	k->repeats = be32toh(head.repeat_count);
	return true;
}

static bool set_list(struct softhca_mkey *k, const uint8_t *list, size_t size)
{
	size_t n = size / sizeof(struct mlx5_wqe_umr_klm_seg);
	struct mlx5_wqe_umr_klm_seg seg;
	struct softhca_klm *klm;
	bool ok;

	klm = calloc(n, sizeof(*klm));
	if (!klm)
		return false;
	for (size_t i = 0; i < n; i++) {
		memcpy(&seg, list + i * sizeof(seg), sizeof(seg));
		klm[i].bcount = be32toh(seg.byte_count);
		klm[i].key = be32toh(seg.mkey);
		klm[i].va = be64toh(seg.address);
	}
	ok = !softhca_mkey_set_klms(k, klm, (uint32_t)n);
	free(klm);
	return ok;
}

/* An interleaved list's second word is the op 0x400, which is never a plain list's key. */
static bool is_repeat_block(const uint8_t *list)
{
	struct mlx5_wqe_umr_repeat_block_seg head;

	memcpy(&head, list, sizeof(head));
	return be32toh(head.op) == INTERLEAVED;
}

/* The list, from the WQE or through its pointer. NULL: reported. The caller frees it. */
static uint8_t *umr_list(struct softhca_qp *qp, const struct umr *umr, size_t size)
{
	const struct softhca_access a = {qp->dev, qp->pd, qp, SOFTHCA_LOCAL_READ};
	struct mlx5_wqe_umr_klm_seg ptr;
	uint8_t *copy = malloc(size);

	if (!copy)
		return NULL;
	if (umr->flags & MLX5_WQE_UMR_CTRL_FLAG_INLINE) {
		/* libmlx5 pads the list to 64 bytes, but may omit the padding and does not count
		 * it. */
		memset(copy, 0, size);
		if (umr->list_size) {
			memcpy(copy, umr->list, umr->list_size < size ? umr->list_size : size);
			return copy;
		}
	} else if (umr->list_size >= sizeof(ptr)) {
		memcpy(&ptr, umr->list, sizeof(ptr));
		if (!softhca_mem_read(&a, be32toh(ptr.mkey), be64toh(ptr.address), copy, size))
			return copy;
	}
	softhca_referee(qp, SOFTHCA_RULE_DS,
			"the UMR announces a list of %zu bytes that is not there", size);
	free(copy);
	return NULL;
}

static int umr_translation(struct softhca_qp *qp, struct softhca_mkey *k, const struct umr *umr)
{
	size_t size = (size_t)umr->octowords * 16;
	uint8_t *list;
	bool ok;

	if (!size)
		return SOFTHCA_OK;
	if (k->kind != SOFTHCA_KEY_INDIRECT || umr->octowords > k->max_klms + 3) {
		softhca_referee(qp, SOFTHCA_RULE_BOUNDS,
				"a UMR list of %u entries for key 0x%x, which was created for %u",
				umr->octowords, k->key, k->max_klms);
		return SOFTHCA_LOCAL_QP_OP;
	}
	list = umr_list(qp, umr, size);
	if (!list)
		return SOFTHCA_LOCAL_QP_OP;
	ok = is_repeat_block(list) ? set_strided(k, list, size) : set_list(k, list, size);
	free(list);
	return ok ? SOFTHCA_OK : SOFTHCA_LOCAL_QP_OP;
}

/* Applies signature and crypto settings, which follow the list. */
static int umr_bsf(struct softhca_qp *qp, struct softhca_mkey *k, const struct umr *umr)
{
	const size_t at = (size_t)umr->octowords * 16, size = (size_t)umr->bsf_octowords * 16;

	if (!size)
		return SOFTHCA_OK;
	if (umr->bsf_octowords > k->bsf_room) {
		softhca_referee(
			qp, SOFTHCA_RULE_BOUNDS,
			"a UMR with %u octowords of byte stream formats for key 0x%x, which "
			"was created for %u",
			umr->bsf_octowords, k->key, k->bsf_room);
		return SOFTHCA_LOCAL_QP_OP;
	}
	if (!(umr->flags & MLX5_WQE_UMR_CTRL_FLAG_INLINE) || at + size > umr->list_size) {
		softhca_referee(
			qp, SOFTHCA_RULE_DS,
			"the UMR announces byte stream formats of %zu bytes that are not there",
			size);
		return SOFTHCA_LOCAL_QP_OP;
	}
	/* A key has such room only with the plug-in. */
	return the_engine.offload->set(qp, k, umr->list + at, umr->bsf_octowords);
}

static int umr_mkey(struct softhca_qp *qp, struct softhca_mkey *k, const struct umr *umr)
{
	uint32_t mask = access_mask(umr->mask);
	bool to_free = umr->mkc.free & MLX5_WQE_MKEY_CONTEXT_FREE;
	int err;

	if (umr->flags & MLX5_WQE_UMR_CTRL_FLAG_CHECK_FREE && !k->free) {
		softhca_referee(qp, SOFTHCA_RULE_ACCESS, "key 0x%x must be free for this UMR",
				k->key);
		return SOFTHCA_LOCAL_QP_OP;
	}
	if (umr->mask & RELAXED && !qp->dev->cfg.relaxed_umr) {
		softhca_referee(qp, SOFTHCA_RULE_ACCESS,
				"a UMR changes the PCIe order of key 0x%x, which the device cannot",
				k->key);
		return SOFTHCA_LOCAL_QP_OP;
	}
	if (the_engine.offload)
		the_engine.offload->drop(k);
	err = umr_bsf(qp, k, umr);
	err = err ? err : umr_translation(qp, k, umr);
	if (err)
		return err;
	if (umr->mask & SEGUE_MKEY_MASK_BSF_ENABLE)
		k->bsf_on = umr->bsf_on;
	if (umr->mask & SEGUE_MKEY_MASK_SIG_ERR)
		k->sig_expected = umr->sig_expected;
	if (umr->mask & MLX5_WQE_UMR_CTRL_MKEY_MASK_LEN)
		k->len = be64toh(umr->mkc.len);
	if (umr->mask & MLX5_WQE_UMR_CTRL_MKEY_MASK_START_ADDR)
		k->start = be64toh(umr->mkc.start_addr);
	if (umr->mask & MLX5_WQE_UMR_CTRL_MKEY_MASK_QPN)
		k->qpn = be32toh(umr->mkc.qpn_mkey) >> 8;
	if (umr->mask & MLX5_WQE_UMR_CTRL_MKEY_MASK_FREE)
		k->free = to_free;
	if (umr->mask & MLX5_WQE_UMR_CTRL_MKEY_MASK_MKEY)
		k->key = (k->key & ~0xffu) | (be32toh(umr->mkc.qpn_mkey) & 0xff);
	k->access = (k->access & ~mask) | (access_of(umr->mkc.access_flags) & mask);
	return SOFTHCA_OK;
}

#define REMOTE_RIGHTS (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC)

static int do_umr(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw)
{
	struct softhca_mkey *k;
	struct umr umr;
	int err;

	parse_umr(ctrl, raw, &umr);
	k = umr_target(qp, be32toh(ctrl->imm));
	if (!k)
		return SOFTHCA_MW_BIND;
	err = k->kind == SOFTHCA_KEY_MW1 || k->kind == SOFTHCA_KEY_MW2 ? umr_window(qp, k, &umr)
								       : umr_mkey(qp, k, &umr);
	if (!err)
		softhca_fence_changed(qp, ctrl->index, k->key, k->access & REMOTE_RIGHTS);
	return err;
}

int softhca_local_exec(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw)
{
	switch (ctrl->opcode) {
	case MLX5_OPCODE_NOP:
		return SOFTHCA_OK;
	case MLX5_OPCODE_UMR:
		return qp->dev->cfg.umr ? do_umr(qp, ctrl, raw) : SOFTHCA_LOCAL_QP_OP;
	case MLX5_OPCODE_MMO:
		return softhca_copy_memory(qp, raw);
	case SEGUE_OPCODE_TAG_MATCHING:
		return softhca_tm_command(qp, ctrl, raw);
	case MLX5_OPCODE_SET_PSV:
	case SEGUE_OPCODE_GET_PSV:
	case SEGUE_OPCODE_CHECK_PSV:
		return qp->dev->cfg.sig && the_engine.offload
			       ? the_engine.offload->psv(qp, ctrl, raw)
			       : SOFTHCA_LOCAL_QP_OP;
	case SEGUE_OPCODE_LOCAL_MMO:
		return qp->dev->cfg.mmo ? softhca_transpose(qp, raw) : SOFTHCA_LOCAL_QP_OP;
	case SEGUE_OPCODE_WAIT:
		/* the WAIT has ended, because a pending one does not come here */
		return qp->wait.syndrome;
	case SEGUE_OPCODE_SEND_EN:
		return softhca_send_enable(qp, raw);
	default:
		softhca_referee(qp, SOFTHCA_RULE_OPCODE, "%s is not modelled",
				softhca_opcode_name(ctrl->opcode));
		return SOFTHCA_LOCAL_QP_OP;
	}
}
