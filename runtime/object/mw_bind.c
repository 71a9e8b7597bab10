/* SPDX-License-Identifier: BSD-2-Clause */
/* Binding and unbinding of memory windows, as requests on a queue pair. */
#include "runtime/object/mw_bind.h"

#include <errno.h>

#include "runtime/object/device/pd.h"
#include "runtime/object/memory/access.h"
#include "runtime/object/memory/mr.h"
#include "runtime/object/qp/qp.h"
#include "segue/base.h"
#include "segue/gen/builders.h"
#include "segue/qp.h"

#define REMOTE	(SEGUE_ACCESS_REMOTE_WRITE | SEGUE_ACCESS_REMOTE_READ | SEGUE_ACCESS_REMOTE_ATOMIC)
#define MOST	SEGUE_SEG_MKEY_BIND_LEN_MAX

/* The low byte of a key, which changes with each use of a window. */
#define LIFE 0xffu

#define SHOW(first, b)                                                                         \
	segue_commit(                                                                          \
		segue_bind_klm(segue_mkey_bind(segue_umr_ctrl(first), (b)->start, (b)->length, \
					       (b)->qpn, (b)->key &LIFE, (b)->rights),         \
			       (b)->at, (b)->length, (b)->lkey))
#define HIDE(first, b) segue_commit(segue_mkey_invalidate(segue_umr_ctrl(first), (b)->key &LIFE))

/* The transports differ only in the type of their queue. */
#define POST_ON(transport)                                                                       \
	static int post_on_##transport(struct segue_##transport##_sq *sq, enum seguei_bind what, \
				       const struct seguei_bound *b)                             \
	{                                                                                        \
		switch (what) {                                                                  \
		case SEGUEI_BIND_TYPE1:                                                          \
			return SHOW(segue_bind_mw_type1(sq, b->wr_id, b->flags, b->was), b);     \
		case SEGUEI_BIND_TYPE2:                                                          \
			return SHOW(segue_bind_mw(sq, b->wr_id, b->flags, b->was), b);           \
		case SEGUEI_UNBIND_TYPE1:                                                        \
			return HIDE(segue_unbind_mw_type1(sq, b->wr_id, b->flags, b->was), b);   \
		default:                                                                         \
			return HIDE(segue_local_inv(sq, b->wr_id, b->flags, b->was), b);         \
		}                                                                                \
	}
POST_ON(rc)
POST_ON(uc)
POST_ON(xrc_initiator)
POST_ON(dci)

int seguei_qp_commit_bound(struct segue_qp *qp, enum seguei_bind what, const struct seguei_bound *b)
{
	switch (qp->type) {
	case SEGUE_QP_RC:
		return post_on_rc(&qp->sq.rc, what, b);
	case SEGUE_QP_UC:
		return post_on_uc(&qp->sq.uc, what, b);
	case SEGUE_QP_XRC_INITIATOR:
		return post_on_xrc_initiator(&qp->sq.xrc_initiator, what, b);
	default: /* segue_qp_supports() has refused the others */
		return post_on_dci(&qp->sq.dci, what, b);
	}
}

static int check_window(struct segue_qp *qp, struct segue_mw *mw, const char *request)
{
	int ret = segue_qp_supports(qp, request);

	if (!ret)
		ret = seguei_object_check((struct seguei_object *)mw, &seguei_mw_kind,
					  "A window's bind");
	if (!ret && ((struct seguei_object *)mw)->parent != qp->object.parent)
		ret = seguei_fail(EINVAL,
				  "The memory window 0x%x is of another protection domain than "
				  "queue pair 0x%x.",
				  segue_mw_rkey(mw).rkey, qp->object.number);
	return ret;
}

static int check_rights(const struct seguei_region *region,
			const struct segue_mw_bind_options *bind)
{
	const uint32_t key = segue_mw_rkey(bind->mw).rkey;
	int ret = seguei_access_check("Memory window", "access", bind->access);

	if (ret)
		return ret;
	if (bind->access & ~(uint32_t)(REMOTE | SEGUE_ACCESS_ZERO_BASED))
		return seguei_fail(EINVAL,
				   "Memory window 0x%x: access is 0x%x, expected REMOTE rights and "
				   "ZERO_BASED (0x%x) at most.",
				   key, bind->access,
				   (unsigned int)(REMOTE | SEGUE_ACCESS_ZERO_BASED));
	if (!(region->access & SEGUE_ACCESS_MW_BIND))
		return seguei_fail(EACCES,
				   "Memory window 0x%x: the region 0x%x was opened without "
				   "MW_BIND, so no window can show it.",
				   key, segue_mr_lkey(bind->mr).lkey);
	if (bind->access & (SEGUE_ACCESS_REMOTE_WRITE | SEGUE_ACCESS_REMOTE_ATOMIC) &&
	    !(region->access & SEGUE_ACCESS_LOCAL_WRITE))
		return seguei_fail(EACCES,
				   "Memory window 0x%x: peers are to write through it, but the "
				   "region 0x%x was opened without LOCAL_WRITE.",
				   key, segue_mr_lkey(bind->mr).lkey);
	return 0;
}

static int check_part(const struct seguei_region *region, const struct segue_mw_bind_options *bind)
{
	if (bind->length && bind->length <= MOST && bind->offset <= region->length &&
	    bind->length <= region->length - bind->offset)
		return 0;
	return seguei_fail(ERANGE,
			   "Memory window 0x%x: %llu bytes from %llu on, expected 1 to %llu within "
			   "the %llu of region 0x%x.",
			   segue_mw_rkey(bind->mw).rkey, (unsigned long long)bind->length,
			   (unsigned long long)bind->offset, (unsigned long long)MOST,
			   (unsigned long long)region->length, segue_mr_lkey(bind->mr).lkey);
}

static int check(struct segue_qp *qp, const struct segue_mw_bind_options *bind,
		 struct seguei_region *region)
{
	int ret;

	if (!bind || !bind->mw || !bind->mr)
		return seguei_fail(EINVAL, "segue_qp_bind_mw(): %s is NULL, expected %s.",
				   !bind       ? "bind"
				   : !bind->mw ? "mw"
					       : "mr",
				   !bind       ? "what to bind"
				   : !bind->mw ? "a window of segue_mw_open()"
					       : "a region of segue_mr_open()");
	if (seguei_check_reserved(bind->reserved, "segue_qp_bind_mw()"))
		return -EINVAL;
	ret = check_window(qp, bind->mw, "bind_mw");
	if (!ret)
		ret = seguei_mr_region(bind->mr, region);
	if (!ret && &region->pd->object != qp->object.parent)
		ret = seguei_fail(EINVAL,
				  "The memory region 0x%x is of another protection domain than "
				  "queue pair 0x%x.",
				  segue_mr_lkey(bind->mr).lkey, qp->object.number);
	if (!ret)
		ret = check_rights(region, bind);
	return ret ? ret : check_part(region, bind);
}

int segue_qp_bind_mw(struct segue_qp *qp, const struct segue_mw_bind_options *bind,
		     struct segue_remote_buf *out)
{
	struct seguei_region region;
	struct seguei_bound b;
	int ret;

	ret = check(qp, bind, &region);
	if (ret)
		return ret;
	b.wr_id = bind->wr_id;
	b.flags = bind->flags;
	b.was = segue_mw_rkey(bind->mw).rkey;
	b.key = segue_mw_next_rkey(bind->mw).rkey;
	b.qpn = seguei_mw_type(bind->mw) == 2 ? segue_qp_number(qp) : SEGUEI_ANYBODY;
	b.at = region.start + bind->offset;
	b.start = bind->access & SEGUE_ACCESS_ZERO_BASED ? 0 : b.at;
	b.length = (uint32_t)bind->length;
	b.lkey = segue_mr_lkey(bind->mr).lkey;
	/* the kernel has set the local right to read */
	b.rights = seguei_access_of_key(bind->access);
	ret = seguei_qp_commit_bound(
		qp, seguei_mw_type(bind->mw) == 2 ? SEGUEI_BIND_TYPE2 : SEGUEI_BIND_TYPE1, &b);
	if (ret) {
		seguei_mw_restore_key(bind->mw, b.was);
		return ret;
	}
	seguei_sq_ring_committed(&qp->sq.any);
	if (out) {
		out->addr = b.start;
		out->length = b.length;
		out->key.rkey = b.key;
	}
	return 0;
}

int segue_qp_unbind_mw(struct segue_qp *qp, uint64_t wr_id, uint32_t flags, struct segue_mw *mw)
{
	struct seguei_bound b = {.wr_id = wr_id, .flags = flags};
	int ret = mw ? check_window(qp, mw, "local_inv")
		     : seguei_fail(EINVAL, "segue_qp_unbind_mw(): mw is NULL, expected a window "
					   "of segue_mw_open().");

	if (ret)
		return ret;
	b.was = b.key = segue_mw_rkey(mw).rkey;
	if (seguei_mw_type(mw) == 2) {
		ret = seguei_qp_commit_bound(qp, SEGUEI_UNBIND_TYPE2, &b);
	} else {
		b.key = segue_mw_next_rkey(mw).rkey;
		ret = seguei_qp_commit_bound(qp, SEGUEI_UNBIND_TYPE1, &b);
		if (ret)
			seguei_mw_restore_key(mw, b.was);
	}
	if (!ret)
		seguei_sq_ring_committed(&qp->sq.any);
	return ret;
}
