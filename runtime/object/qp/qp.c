/* SPDX-License-Identifier: BSD-2-Clause */
/* Creating, adopting and closing queue pairs. State changes are in state.c. */
#include "runtime/object/qp/qp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/cq/cq.h"
#include "runtime/object/device/device.h"
#include "runtime/object/device/pd.h"
#include "runtime/object/device/ring_domain.h"
#include "runtime/object/device/uar.h"
#include "runtime/object/qp/cross_channel.h"
#include "runtime/object/srq/srq.h"
#include "runtime/ring/cq/geometry.h"
#include "runtime/ring/split.h"
#include "segue/base.h"
#include "segue/gen/segments.h"
#include "segue/gen/transports.h"

/* Reserves entries of its completion queues for all that its rings can have in flight. */
static int reserve(struct segue_qp *qp)
{
	struct seguei_cq_claim *sends = &qp->claims[0], *receives = &qp->claims[1];
	int ret;

	*sends = (struct seguei_cq_claim){
		.cq = qp->send_cq,
		.sends = !qp->has_sq ? 0
			 : qp->spare ? qp->spare->most
				     : qp->sq.any.most,
	};
	*receives = (struct seguei_cq_claim){
		.cq = qp->recv_cq,
		.receives = qp->has_rq ? seguei_recv_most(&qp->rq.ring) : 0,
		.srq = qp->srq,
	};
	if (sends->cq == receives->cq) {
		receives->sends = sends->sends;
		sends->cq = NULL;
	}
	ret = seguei_cq_reserve(sends, "queue pair", qp->qp->qp_num);
	if (ret) {
		sends->cq = receives->cq = NULL;
		return ret;
	}
	ret = seguei_cq_reserve(receives, "queue pair", qp->qp->qp_num);
	if (ret)
		receives->cq = NULL;
	return ret;
}

static void unreserve(struct segue_qp *qp)
{
	seguei_cq_release(&qp->claims[0]);
	seguei_cq_release(&qp->claims[1]);
}

/*
 * Moves a queue pair to ERR before it is destroyed, so that a shared receive in progress completes.
 * Without that, the receive would never complete, and could not be posted again. The device reports
 * when the queue pair has taken its last receive. Detaching then removes its completion. This is
 * for RC only: a datagram arrives whole, and the kernel itself waits for a DCT. Source: IBTA
 * specification, volume 1, 10.3.1 (Last WQE Reached); Linux drivers/infiniband/core/verbs.c,
 * __ib_drain_srq(); drivers/infiniband/hw/mlx5/qpc.c, _mlx5_core_destroy_dct().
 */
static void finish_receive(struct segue_qp *qp)
{
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_ERR};
	int ret = 0;

	if (!qp->srq)
		return;
	if (segue_transition_is_valid(qp->transport, qp->state, SEGUE_QP_STATE_ERR))
		ret = seguei_qp_command(qp, &attr, IBV_QP_STATE);
	if (!ret && qp->type == SEGUE_QP_RC && qp->may_receive)
		seguei_events_await_last_wqe(qp);
}

static int release_qp(struct seguei_object *object)
{
	struct segue_qp *qp = (struct segue_qp *)object;

	if (!qp->adopted) {
		const struct seguei_cq_locks locks = seguei_qp_unlock_cqs(qp);
		int ret;

		finish_receive(qp);
		ret = seguei_qp_destroy(qp);
		seguei_qp_relock_cqs(&locks);
		if (ret && ret != EIO)
			return ret;
	}
	seguei_ring_domain_close(qp->rings);
	seguei_qp_detach(qp);
	unreserve(qp);
	seguei_uar_leave(qp->uar);
	free(qp->slots);
	free(qp->spare);
	free(qp->recv_spare);
	free(qp->wr_ids);
	free(qp->halves);
	qp->sq.any.checked_owner = qp->rq.ring.checked_owner = SEGUEI_OWNER_CLOSED;
	return 0;
}

const struct seguei_kind seguei_qp_kind = {"queue pair", SEGUEI_RANK_QP, release_qp};

static int held(const struct seguei_object *object)
{
	return seguei_qp_check_unpolled((const struct segue_qp *)object, "Closing");
}

static void use(struct segue_qp *qp, const struct segue_qp_options *options)
{
	if (options->send_cq)
		seguei_object_use(&qp->object, &seguei_cq_object_of(options->send_cq)->object);
	if (options->recv_cq && options->recv_cq != options->send_cq)
		seguei_object_use(&qp->object, &seguei_cq_object_of(options->recv_cq)->object);
	if (options->srq && qp->object.parent != &seguei_srq_object_of(options->srq)->object)
		seguei_object_use(&qp->object, &seguei_srq_object_of(options->srq)->object);
	if (options->td)
		seguei_object_use(&qp->object, &options->td->object);
	if (options->xrcd)
		seguei_object_use(&qp->object, &options->xrcd->object);
}

/*
 * libmlx5 assumes larger requests than ours, so its rings reach the device's limit before max_qp_wr
 * does.
 */
static const char *ring_hint(int err)
{
	return err == EINVAL || err == ENOMEM ? "; its rings may be larger than the device's, ask "
						"for fewer or smaller sends"
					      : "";
}

static bool stamped(struct segue_cq *cq)
{
	return cq && seguei_cq_object_of(cq)->timestamps;
}

/*
 * The kernel chooses a queue's timestamp format when it creates the queue (get_ts_format() of
 * Linux's qp.c).
 */
static const char *stamp_hint(const struct segue_qp_options *options, int err)
{
	return err == EOPNOTSUPP && (stamped(options->send_cq) || stamped(options->recv_cq))
		       ? "; its completion queue was opened with timestamps, and this card may "
			 "stamp in another format only"
		       : "";
}

static const char *right_hint(const struct segue_qp_options *options, int err)
{
	return err == EPERM && options->type == SEGUE_QP_RAW_PACKET ? "; it takes CAP_NET_RAW" : "";
}

static int not_made(const struct seguei_qp_kind_info *info, const struct segue_qp_options *options,
		    int err)
{
	const char *const option = seguei_qp_asked_for(options);

	return seguei_fail(
		err,
		"No %s queue pair with %u sends of %u pieces and %u inline bytes, %u receives of "
		"%u pieces%s%s: %s%s%s%s%s%s.",
		info->name, options->max_send_wr, options->max_send_sge, options->max_inline,
		options->max_recv_wr, options->max_recv_sge, option ? " and with " : "",
		option ? option : "", strerror(err), ring_hint(err),
		option ? "; this device, its driver or this libmlx5 may not have the option" : "",
		stamp_hint(options, err), right_hint(options, err), seguei_memlock_hint(err));
}

/* Creates the verbs object, and the source of its rings' memory. -errno with a sentence. */
static int create(struct segue_qp *qp, struct segue_pd *pd, const struct segue_qp_options *options)
{
	const struct seguei_ring_place place = {
		.whose = "Queue pair",
		.device = seguei_device_of(&pd->object),
		.pd = pd,
		.td = options->td,
		.wish = {options->huge_pages, options->near_device},
	};
	int ret = seguei_ring_domain_open(&place, &qp->rings);
	int err;

	if (!ret && seguei_cross_wanted(options))
		ret = seguei_cross_prepare(qp, options);
	if (ret)
		return ret;
	qp->qp = qp->cross ? seguei_cross_create(qp, pd, options)
			   : seguei_qp_create(qp->rings	    ? qp->rings->parent
					      : options->td ? options->td->parent
							    : pd->pd,
					      options);
	if (qp->qp)
		return 0;
	err = errno ? errno : EIO;
	ret = seguei_ring_domain_failure(qp->rings);
	return ret ? ret : not_made(seguei_qp_info(options->type), options, err);
}

static int make_halves(struct segue_qp *qp)
{
	qp->halves = calloc(1, sizeof(*qp->halves));
	return qp->halves ? 0
			  : seguei_fail(ENOMEM, "Queue pair: no memory for halves of its queues.");
}

/*
 * A queue pair is added to its completion queues, and may enlarge them, so no poll may be in
 * progress.
 */
static int check_queues_unpolled(const struct segue_qp_options *options, const char *call)
{
	const int ret = seguei_cq_check_unpolled(options->send_cq, call);

	return ret ? ret : seguei_cq_check_unpolled(options->recv_cq, call);
}

/* Creates it below its domain, or below `owner`. */
static int make_qp(struct segue_pd *pd, struct seguei_object *owner,
		   const struct segue_qp_options *options, struct ibv_qp *adopted,
		   struct segue_qp **out)
{
	const struct seguei_qp_kind_info *info = seguei_qp_info(options->type);
	struct segue_qp *qp;
	int ret;

	qp = seguei_object_alloc(sizeof(*qp), "Queue pair");
	if (!qp)
		return -ENOMEM;
	qp->type = options->type;
	qp->transport = info->transport;
	qp->names_indices = seguei_device_of(&pd->object)->caps.cqe_version_1;
	qp->send_cq = options->send_cq;
	qp->recv_cq = options->recv_cq;
	qp->srq = options->srq;
	qp->td = options->td;
	qp->context = options->context;
	qp->max_wqe_units = info->sends ? seguei_qp_wqe_units(options) : 0;
	qp->max_blocks = adopted ? options->max_send_wr : seguei_qp_send_entries(options);
	qp->max_tso = seguei_device_of(&pd->object)->caps.max_tso;
	qp->max_recv_wr = options->max_recv_wr;
	qp->verbs.max_send_sge = options->max_send_sge;
	qp->verbs.max_recv_sge = options->max_recv_sge;
	qp->verbs.max_inline = options->max_inline;
	qp->streams = options->dci_log_streams ? 1u << options->dci_log_streams : 0;
	qp->adopted = adopted != NULL;
	qp->own_register = adopted && options->own_register;
	qp->counts_users = options->td || qp->own_register ||
			   (!adopted && !seguei_device_of(&pd->object)->adopted);
	qp->device_memcpy = options->device_memcpy;
	qp->qp = adopted;
	ret = options->split ? make_halves(qp) : 0;
	if (!ret && !adopted)
		ret = create(qp, pd, options);
	if (ret)
		goto err_free;
	ret = seguei_qp_init_rings(qp);
	if (!ret)
		ret = reserve(qp);
	if (!ret)
		ret = seguei_qp_attach(qp);
	if (ret)
		goto err_destroy;
	if (qp->recv_cq)
		qp->recv_cq->null_key = pd->null_key;
	if (qp->send_cq)
		qp->send_cq->null_key = pd->null_key;
	qp->object.held = held;
	seguei_object_open(&qp->object, &seguei_qp_kind, owner, seguei_key_of(qp->qp));
	qp->object.number = qp->qp->qp_num;
	use(qp, options);
	seguei_qp_set_state(qp, qp->transport->initial);
	*out = qp;
	return 0;

err_destroy:
	unreserve(qp);
	if (!adopted)
		seguei_qp_destroy(qp);
err_free:
	seguei_ring_domain_close(qp->rings);
	seguei_uar_leave(qp->uar);
	free(qp->slots);
	free(qp->spare);
	free(qp->recv_spare);
	free(qp->wr_ids);
	free(qp->halves);
	free(qp);
	return ret;
}

int segue_qp_open(struct segue_pd *pd, const struct segue_qp_options *options,
		  struct segue_qp **out)
{
	int ret = seguei_object_check((struct seguei_object *)pd, &seguei_pd_kind,
				      "segue_qp_open()");

	if (!ret)
		ret = seguei_qp_check_options(pd, options);
	if (!ret)
		ret = check_queues_unpolled(options, "segue_qp_open()");
	return ret ? ret : make_qp(pd, &pd->object, options, NULL, out);
}

int seguei_qp_open_below(struct seguei_srq_object *srq, struct segue_pd *pd,
			 const struct segue_qp_options *options, struct segue_qp **out)
{
	const int ret = seguei_qp_check_options(pd, options);

	return ret ? ret : make_qp(pd, &srq->object, options, NULL, out);
}

enum segue_qp_type seguei_qp_type_of(int verbs)
{
	enum segue_qp_type type;

	for (type = SEGUE_QP_RC; type <= SEGUE_QP_RAW_PACKET; type = (enum segue_qp_type)(type + 1))
		if (seguei_qp_info(type)->verbs == verbs && verbs != IBV_QPT_DRIVER)
			return type;
	return SEGUE_QP_NONE;
}

/* Checks that the queue pair was created with these queues. */
static int check_queues(const struct segue_qp_options *options, const struct ibv_qp *qp)
{
	const struct seguei_qp_kind_info *info = seguei_qp_info(options->type);

	if ((info->sends && seguei_cq_verbs_of(options->send_cq) != qp->send_cq) ||
	    (info->receives && seguei_cq_verbs_of(options->recv_cq) != qp->recv_cq))
		return seguei_fail(EINVAL,
				   "segue_qp_adopt(): queue pair 0x%x completes elsewhere; adopt "
				   "its own completion queues first.",
				   qp->qp_num);
	if (info->receives && seguei_srq_verbs_of(options->srq) != qp->srq)
		return seguei_fail(EINVAL, "segue_qp_adopt(): queue pair 0x%x %s.", qp->qp_num,
				   qp->srq ? "takes its receives from another shared queue; adopt "
					     "that one first, and name it as srq"
					   : "has receives of its own; leave srq out");
	return 0;
}

/*
 * Queries its size and state. The kernel does not report either for a DCT, which has no ring.
 * libibverbs knows its state.
 */
static int ask_verbs(struct ibv_qp *qp, struct segue_qp_options *options, uint32_t *state,
		     bool *signals_all)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;
	int ret;

	*state = (uint32_t)qp->state;
	*signals_all = false;
	if (options->type == SEGUE_QP_DCT)
		return 0;
	/* returns the error number */
	ret = ibv_query_qp(qp, &attr, IBV_QP_STATE | IBV_QP_CAP, &init);
	if (ret)
		return seguei_fail(ret, "segue_qp_adopt(): queue pair 0x%x cannot be queried: %s.",
				   qp->qp_num, strerror(ret));
	*state = (uint32_t)attr.qp_state;
	if (!options->max_send_wr)
		options->max_send_wr = init.cap.max_send_wr;
	options->max_send_sge = init.cap.max_send_sge;
	options->max_recv_sge = init.cap.max_recv_sge;
	options->max_inline = init.cap.max_inline_data;
	*signals_all = init.sq_sig_all;
	return 0;
}

/* @whole: receives are adopted, too, and their queues are given */
static int adopt(struct segue_pd *pd, struct ibv_qp *qp, const struct segue_qp_options *options,
		 bool whole, struct segue_qp **out)
{
	struct segue_qp_options wanted = *options;
	bool signals_all;
	uint32_t state;
	int ret;

	ret = seguei_object_check((struct seguei_object *)pd, &seguei_pd_kind, "segue_qp_adopt()");
	if (ret)
		return ret;
	if (!qp || qp->context != pd->pd->context)
		return seguei_fail(EINVAL, "segue_qp_adopt(): the queue pair %s.",
				   qp ? "is on another verbs context than the domain" : "is NULL");
	if (wanted.type == SEGUE_QP_NONE)
		wanted.type = seguei_qp_type_of((int)qp->qp_type);
	if (!seguei_qp_info(wanted.type) || seguei_qp_info(wanted.type)->verbs != (int)qp->qp_type)
		return seguei_fail(ENOTSUP,
				   "segue_qp_adopt(): queue pair 0x%x is of another type than "
				   "asked for, or of an unknown one.",
				   qp->qp_num);
	ret = whole ? check_queues(&wanted, qp) : 0;
	if (!ret)
		ret = check_queues_unpolled(&wanted, "segue_qp_adopt()");
	if (!ret)
		ret = ask_verbs(qp, &wanted, &state, &signals_all);
	if (!ret)
		ret = make_qp(pd, &pd->object, &wanted, qp, out);
	if (ret)
		return ret;
	(*out)->verbs.flags = signals_all ? SEGUE_SIGNALED : 0;
	seguei_qp_set_state(*out, state);
	return 0;
}

int segue_qp_adopt(struct segue_pd *pd, struct ibv_qp *qp, const struct segue_qp_options *options,
		   struct segue_qp **out)
{
	return adopt(pd, qp, options, true, out);
}

int seguei_qp_adopt_sides(struct segue_pd *pd, struct ibv_qp *qp,
			  const struct segue_qp_options *options, struct segue_qp **out)
{
	return adopt(pd, qp, options, options->recv_cq != NULL, out);
}

int segue_qp_close(struct segue_qp *qp)
{
	return seguei_object_close((struct seguei_object *)qp, &seguei_qp_kind);
}

struct ibv_qp *segue_qp_ibv(struct segue_qp *qp)
{
	return qp->cross ? NULL : qp->qp;
}

uint16_t segue_qp_send_index(const struct segue_qp *qp)
{
	return (uint16_t)qp->sq.any.pi;
}

/* The error message if the queue pair is of another type, or NULL. */
static const char *other_type(const struct segue_qp *qp, enum segue_qp_type type)
{
	if (qp->type == type)
		return NULL;
	seguei_fail(EINVAL, "Queue pair 0x%x is of type %s, not %s.", qp->object.number,
		    seguei_qp_info(qp->type)->name, seguei_qp_info(type)->name);
	return segue_errmsg();
}

const size_t seguei_qp_size = sizeof(struct segue_qp);
struct segue_qp seguei_qp_none;

struct segue_sq *seguei_qp_sq(struct segue_qp *qp)
{
	return &qp->sq.any;
}

struct segue_rc_sq *segue_qp_rc_sq(struct segue_qp *qp)
{
	return other_type(qp, SEGUE_QP_RC) ? NULL : &qp->sq.rc;
}

struct segue_uc_sq *segue_qp_uc_sq(struct segue_qp *qp)
{
	return other_type(qp, SEGUE_QP_UC) ? NULL : &qp->sq.uc;
}

struct segue_ud_sq *segue_qp_ud_sq(struct segue_qp *qp)
{
	return other_type(qp, SEGUE_QP_UD) ? NULL : &qp->sq.ud;
}

struct segue_xrc_initiator_sq *segue_qp_xrc_initiator_sq(struct segue_qp *qp)
{
	return other_type(qp, SEGUE_QP_XRC_INITIATOR) ? NULL : &qp->sq.xrc_initiator;
}

struct segue_dci_sq *segue_qp_dci_sq(struct segue_qp *qp)
{
	return other_type(qp, SEGUE_QP_DCI) ? NULL : &qp->sq.dci;
}

struct segue_raw_packet_sq *segue_qp_raw_packet_sq(struct segue_qp *qp)
{
	return other_type(qp, SEGUE_QP_RAW_PACKET) ? NULL : &qp->sq.raw_packet;
}

struct segue_rq *segue_qp_rq(struct segue_qp *qp)
{
	if (qp->has_rq)
		return &qp->rq;
	seguei_fail(EINVAL, "Queue pair 0x%x has no receive queue of its own%s.", qp->object.number,
		    qp->srq ? "; post to its shared receive queue" : "");
	return NULL;
}
