/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checks of a queue pair's options.
 *
 * min_rnr_timer 0 is refused, although verbs allow it. A forgotten field would cost 655 ms at each
 * RNR NAK.
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <string.h>

#include "runtime/object/cq/cq.h"
#include "runtime/object/device/device.h"
#include "runtime/object/device/pd.h"
#include "runtime/object/qp/cross_channel.h"
#include "runtime/object/qp/qp.h"
#include "runtime/object/srq/srq.h"
#include "segue/base.h"
#include "segue/detail/build.h"
#include "segue/gen/segments.h"
#include "segue/gen/transports.h"

#define UNITS_MIN 8u

const struct seguei_qp_kind_info *seguei_qp_info(enum segue_qp_type type)
{
	static const struct seguei_qp_kind_info infos[] = {
		[SEGUE_QP_RC] = {"RC", &segue_rc_transport, IBV_QPT_RC, true, true, false, 0},
		[SEGUE_QP_UC] = {"UC", &segue_uc_transport, IBV_QPT_UC, true, true, false, 0},
		[SEGUE_QP_UD] = {"UD", &segue_ud_transport, IBV_QPT_UD, true, true, false,
				 SEGUE_SEG_AV_UD_SIZE},
		[SEGUE_QP_XRC_INITIATOR] = {"XRC initiator", &segue_xrc_initiator_transport,
					    IBV_QPT_XRC_SEND, true, false, false,
					    SEGUE_SEG_XRC_SIZE},
		[SEGUE_QP_XRC_TARGET] = {"XRC target", &segue_xrc_target_transport,
					 IBV_QPT_XRC_RECV, false, false, false, 0},
		[SEGUE_QP_DCI] = {"DCI", &segue_dci_transport, IBV_QPT_DRIVER, true, false, false,
				  SEGUE_SEG_AV_DC_SIZE},
		[SEGUE_QP_DCT] = {"DCT", &segue_dct_transport, IBV_QPT_DRIVER, false, true, true,
				  0},
		[SEGUE_QP_RAW_PACKET] = {"raw packet", &segue_raw_packet_transport,
					 IBV_QPT_RAW_PACKET, true, true, false, 0},
	};

	if (type <= SEGUE_QP_NONE || (unsigned int)type >= sizeof(infos) / sizeof(infos[0]))
		return NULL;
	return &infos[type];
}

static uint32_t units_of(uint32_t bytes)
{
	return (bytes + SEGUEI_UNIT - 1) / SEGUEI_UNIT;
}

uint32_t seguei_qp_wqe_units(const struct segue_qp_options *options)
{
	const struct seguei_qp_kind_info *info = seguei_qp_info(options->type);
	const uint32_t inlined = options->max_inline ? units_of(SEGUE_SEG_INLINE_DATA_SIZE +
								options->max_inline)
						     : 0;
	const uint32_t payload = options->max_send_sge > inlined ? options->max_send_sge : inlined;
	uint32_t units;

	if (options->max_wqe_units)
		return options->max_wqe_units;
	units = SEGUE_SEG_CTRL_UNITS + units_of(info->address_bytes) + SEGUE_SEG_RADDR_UNITS +
		payload;
	if (options->type == SEGUE_QP_RAW_PACKET)
		units += SEGUE_SEG_ETH_UNITS;
	/* The longest atomic is a masked compare and swap of 64 bits. */
	if (units < SEGUE_SEG_CTRL_UNITS + units_of(info->address_bytes) + SEGUE_SEG_RADDR_UNITS +
			    SEGUE_SEG_MASKED_CAS64_UNITS + SEGUE_SEG_DATA_UNITS)
		units = SEGUE_SEG_CTRL_UNITS + units_of(info->address_bytes) +
			SEGUE_SEG_RADDR_UNITS + SEGUE_SEG_MASKED_CAS64_UNITS + SEGUE_SEG_DATA_UNITS;
	return units < UNITS_MIN ? UNITS_MIN : units;
}

uint32_t seguei_qp_send_entries(const struct segue_qp_options *options)
{
	if (!seguei_qp_info(options->type)->sends)
		return 0;
	return options->max_send_wr * ((seguei_qp_wqe_units(options) + SEGUEI_UNITS_PER_BLOCK - 1) /
				       SEGUEI_UNITS_PER_BLOCK);
}

static int refuse(const struct seguei_qp_kind_info *info, const char *option, const char *expected)
{
	return seguei_fail(EINVAL, "%s queue pair: %s %s.", info->name, option, expected);
}

static int check_sends(const struct seguei_qp_kind_info *info,
		       const struct segue_qp_options *options, const struct segue_caps *caps)
{
	if (!info->sends) {
		if (options->send_cq)
			return refuse(info, "send_cq", "is given, but it does not send");
		if (options->max_send_wr || options->max_send_sge || options->max_inline)
			return refuse(info, "max_send_wr, max_send_sge or max_inline",
				      "is given, but it does not send");
		return 0;
	}
	if (!options->send_cq)
		return refuse(info, "send_cq", "is NULL, expected a completion queue");
	if (!options->max_send_wr || options->max_send_wr > caps->max_qp_wr)
		return seguei_fail(EINVAL, "%s queue pair: max_send_wr is %u, expected 1 to %u.",
				   info->name, options->max_send_wr, caps->max_qp_wr);
	if (options->max_send_sge > caps->max_sge)
		return seguei_fail(EINVAL,
				   "%s queue pair: max_send_sge is %u, expected at most %u.",
				   info->name, options->max_send_sge, caps->max_sge);
	if (seguei_qp_wqe_units(options) > (uint32_t)SEGUE_WQE_MAX_UNITS)
		return seguei_fail(EINVAL,
				   "%s queue pair: with max_send_sge %u and max_inline %u a "
				   "request has %u units of 16 bytes, "
				   "expected at most %u.",
				   info->name, options->max_send_sge, options->max_inline,
				   seguei_qp_wqe_units(options), (unsigned int)SEGUE_WQE_MAX_UNITS);
	return 0;
}

static int check_receives(const struct seguei_qp_kind_info *info,
			  const struct segue_qp_options *options, const struct segue_caps *caps)
{
	if (!info->receives) {
		if (options->recv_cq || options->srq || options->max_recv_wr ||
		    options->max_recv_sge)
			return refuse(info, "recv_cq, srq, max_recv_wr or max_recv_sge",
				      "is given, but it has no receives of its own");
		return 0;
	}
	if (!options->recv_cq)
		return refuse(info, "recv_cq", "is NULL, expected a completion queue");
	if (info->shared_only && !options->srq)
		return refuse(info, "srq",
			      "is NULL, but it takes its receives from a shared queue only");
	if (options->srq && (options->max_recv_wr || options->max_recv_sge))
		return refuse(info, "max_recv_wr or max_recv_sge",
			      "is given together with srq; receives come from one of the two, so "
			      "set it to 0");
	if (options->srq && seguei_srq_object_of(options->srq)->tag_cq) {
		if (options->recv_cq != seguei_srq_object_of(options->srq)->tag_cq)
			return refuse(info, "recv_cq",
				      "is another completion queue than that of srq, where all "
				      "messages of its tag list complete");
		if (options->scatter_to_cqe)
			return refuse(
				info, "scatter_to_cqe",
				"is given, but messages to a tag list carry their header there");
	}
	if (options->max_recv_wr >= caps->max_qp_wr)
		return seguei_fail(EINVAL,
				   "%s queue pair: max_recv_wr is %u, expected less than %u.",
				   info->name, options->max_recv_wr, caps->max_qp_wr);
	if (options->max_recv_sge > caps->max_sge ||
	    (options->max_recv_wr && !options->max_recv_sge))
		return seguei_fail(EINVAL, "%s queue pair: max_recv_sge is %u, expected 1 to %u.",
				   info->name, options->max_recv_sge, caps->max_sge);
	return 0;
}

/* Options that mlx5dv_create_qp(3) has flags for. */
static int check_creation(const struct seguei_qp_kind_info *info,
			  const struct segue_qp_options *options)
{
	if (options->type != SEGUE_QP_RC &&
	    (options->signature_pipelining || options->packet_based_credit))
		return refuse(info, "signature_pipelining or packet_based_credit",
			      "is given, but only RC has them");
	if (options->scatter_reads_to_cqe &&
	    (options->type != SEGUE_QP_RC || !options->scatter_to_cqe))
		return refuse(info, "scatter_reads_to_cqe",
			      options->type == SEGUE_QP_RC ? "is given without scatter_to_cqe"
							   : "is given, but only RC has it");
	if (options->device_memcpy && options->type != SEGUE_QP_RC && options->type != SEGUE_QP_DCI)
		return refuse(info, "device_memcpy",
			      "is given, but only RC and DCI queue pairs copy memory");
	/*
	 * rdma-core's driver then uses the CQE's counter. A receive queue of Segue retires in
	 * order.
	 */
	if (options->out_of_order && options->max_recv_wr)
		return refuse(info, "out_of_order",
			      "is given together with max_recv_wr, but receives complete out of "
			      "order then; take them from an srq");
	if (options->type == SEGUE_QP_RAW_PACKET)
		return options->out_of_order
			       ? refuse(info, "out_of_order",
					"is given, but frames have no order to be placed in")
			       : 0;
	if (options->loopback_unicast || options->loopback_multicast || options->tunnel_offloads)
		return refuse(info, "loopback_unicast, loopback_multicast or tunnel_offloads",
			      "is given, but only a raw packet queue pair has them");
	return 0;
}

const char *seguei_qp_asked_for(const struct segue_qp_options *options)
{
	const struct {
		bool asked;
		const char *name;
	} all[] = {
		{options->out_of_order, "out_of_order"},
		{options->device_memcpy, "device_memcpy"},
		{options->packet_based_credit, "packet_based_credit"},
		{options->signature_pipelining, "signature_pipelining"},
		{options->tunnel_offloads, "tunnel_offloads"},
		{options->loopback_unicast || options->loopback_multicast, "loopback"},
		{options->scatter_reads_to_cqe, "scatter_reads_to_cqe"},
		{options->cross_channel, "cross_channel"},
		{options->managed_send, "managed_send"},
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].asked)
			return all[i].name;
	return NULL;
}

/* Options that only libmlx5's own queue pairs support. */
static const char *libmlx5s_own(const struct segue_qp_options *options)
{
	const char *const asked = seguei_qp_asked_for(options);

	if (options->td)
		return "is given together with td, but its doorbell register is that of its "
		       "completion queues";
	if (options->scatter_to_cqe || options->dci_log_streams)
		return options->dci_log_streams ? "is given together with dci_log_streams, which "
						  "libmlx5 alone resets"
						: "is given together with scatter_to_cqe, which "
						  "libmlx5 gives to its own queue pairs";
	if (asked && strcmp(asked, "cross_channel") && strcmp(asked, "managed_send"))
		return "is given together with an option that libmlx5 gives to its own queue pairs";
	return NULL;
}

/*
 * Options that do not go together with cross-channel operations, which enable other queues or wait
 * for them.
 */
static int check_cross(const struct seguei_qp_kind_info *info,
		       const struct segue_qp_options *options, const struct segue_device *device)
{
	static const char option[] = "cross_channel or managed_send";

	if (!options->cross_channel && !options->managed_send)
		return 0;
	if (!info->sends)
		return refuse(info, option, "is given, but it does not send");
	if (options->type == SEGUE_QP_RAW_PACKET)
		return refuse(info, option,
			      "is given, but the kernel leaves it out of a raw packet queue pair's "
			      "send queue");
	if (libmlx5s_own(options))
		return refuse(info, option, libmlx5s_own(options));
	if (!device->caps.wait_cq)
		return seguei_fail(EINVAL,
				   "%s queue pair: %s is given, but %s has no queues that wait for "
				   "others (cross-channel operations).",
				   info->name, option, segue_device_name(device));
	return 0;
}

/* Options of kernel objects, which a queue pair does not have that the kernel does not know. */
static int check_by_command(const struct seguei_qp_kind_info *info,
			    const struct segue_qp_options *options)
{
	const struct segue_ring_memory *const memory = options->memory;
	const char *const option =
		memory ? "memory"
		       : "send_cq or recv_cq with collapsed, memory or compress_enhanced";

	if (!seguei_command_wanted(options))
		return 0;
	if (options->type != SEGUE_QP_RC || options->srq)
		return refuse(info, option,
			      "is given, which only RC queue pairs with receives of their own can "
			      "have");
	if (memory && (options->huge_pages || options->near_device))
		return refuse(info, option,
			      "is given together with huge_pages or near_device, which are about "
			      "memory of Segue's");
	if (memory && memory->lanes_only && options->max_recv_wr)
		return refuse(info, "max_recv_wr",
			      "is given, but receives would lie in memory that only lanes reach");
	if (options->cross_channel || options->managed_send)
		return refuse(info, option,
			      "is given together with cross_channel or managed_send, which the "
			      "kernel makes");
	if (options->max_recv_wr && seguei_cq_object_of(options->recv_cq)->collapsed)
		return refuse(info, "recv_cq", "is collapsed, and receives would be lost there");
	if (memory && seguei_check_reserved(memory->reserved, "Queue pair: memory"))
		return -EINVAL;
	return libmlx5s_own(options) ? refuse(info, option, libmlx5s_own(options)) : 0;
}

int seguei_qp_check_options(struct segue_pd *pd, const struct segue_qp_options *options)
{
	const struct seguei_qp_kind_info *info = seguei_qp_info(options->type);
	const struct segue_caps *caps = &seguei_device_of(&pd->object)->caps;
	int ret;

	if (!info)
		return seguei_fail(EINVAL,
				   "Queue pair: type is %d, expected one of enum segue_qp_type.",
				   (int)options->type);
	if (seguei_check_reserved(options->reserved, "Queue pair"))
		return -EINVAL;
	if ((options->type == SEGUE_QP_XRC_TARGET) != (options->xrcd != NULL))
		return refuse(info, "xrcd",
			      options->xrcd ? "is given, but only an XRC target has one"
					    : "is NULL, expected a domain");
	if (options->td && (!info->sends || options->td->object.parent != &pd->object))
		return refuse(info, "td",
			      info->sends ? "is of another protection domain"
					  : "is given, but it does not send");
	if (options->own_register)
		return refuse(info, "own_register",
			      "is given, but only an adopted one has it; use td");
	if (!info->sends && (options->huge_pages || options->near_device))
		return refuse(info, "huge_pages or near_device", "is given, but it has no rings");
	if (options->type != SEGUE_QP_DCT && options->dc_key)
		return refuse(info, "dc_key", "is given, but only a DCT has one");
	ret = check_creation(info, options);
	if (!ret)
		ret = check_cross(info, options, seguei_device_of(&pd->object));
	if (!ret)
		ret = check_by_command(info, options);
	if (ret)
		return ret;
	if (options->type != SEGUE_QP_DCI && (options->dci_log_streams || options->dci_log_errored))
		return refuse(info, "dci_log_streams or dci_log_errored",
			      "is given, but only a DCI has streams");
	if (options->dci_log_streams > caps->dci_max_log_concurrent ||
	    options->dci_log_errored > caps->dci_max_log_errored)
		return seguei_fail(EINVAL,
				   "DCI queue pair: dci_log_streams is %u and dci_log_errored %u, "
				   "expected at most %u and %u.",
				   options->dci_log_streams, options->dci_log_errored,
				   caps->dci_max_log_concurrent, caps->dci_max_log_errored);
	ret = check_sends(info, options, caps);
	return ret ? ret : check_receives(info, options, caps);
}
