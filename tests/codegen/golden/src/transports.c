/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from spec/mlx5/transports, spec/verbs/transports by //codegen. Do not edit.
 * To change it, edit the spec and run: bazel run //tools:update_goldens
 */
#include "segue/gen/transports.h"

#include <stddef.h>

#include "segue/gen/enums.h"

static const struct segue_transport_state dci_states[7] = {
	[SEGUE_QP_STATE_RESET] =
		{
			.name = "RESET",
			.doc = "Nothing is posted and nothing moves; libmlx5 refuses a post.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_NONE,
		},
	[SEGUE_QP_STATE_INIT] =
		{
			.name = "INIT",
			.doc = "Bound to a port.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_NONE,
			.needs = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_PORT,
		},
	[SEGUE_QP_STATE_RTR] =
		{
			.name = "RTR",
			.doc = "On the way to RTS; a DCI answers nobody.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_NONE,
			.needs = SEGUE_QP_ATTR_PATH_MTU,
		},
	[SEGUE_QP_STATE_RTS] =
		{
			.name = "RTS",
			.doc = "Fully working.",
			.send = SEGUE_POST_PROCESS,
			.recv = SEGUE_POST_NONE,
			.needs = SEGUE_QP_ATTR_TIMEOUT | SEGUE_QP_ATTR_RETRY_CNT |
				 SEGUE_QP_ATTR_RNR_RETRY | SEGUE_QP_ATTR_MAX_QP_RD_ATOMIC |
				 SEGUE_QP_ATTR_SQ_PSN,
		},
	[SEGUE_QP_STATE_ERR] =
		{
			.name = "ERR",
			.doc = "Every request completes with the flush error.",
			.send = SEGUE_POST_FLUSH,
			.recv = SEGUE_POST_NONE,
		},
};

static const struct segue_transition dci_table[7 * 7] = {
	[SEGUE_QP_STATE_RESET * 7 + SEGUE_QP_STATE_INIT] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_PORT,
			.doc = "Binds the DCI to a port. Access flags are refused: nobody reaches "
			       "memory through a DCI.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_INIT] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_PORT,
			.doc = "Corrects what INIT was given.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_RTR] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_PATH_MTU,
			.optional = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_AV,
			.doc = "Sets the packet size. The address vector is optional: each request "
			       "carries its own.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_TIMEOUT | SEGUE_QP_ATTR_RETRY_CNT |
				    SEGUE_QP_ATTR_RNR_RETRY | SEGUE_QP_ATTR_MAX_QP_RD_ATOMIC |
				    SEGUE_QP_ATTR_SQ_PSN,
			.optional = SEGUE_QP_ATTR_MIN_RNR_TIMER,
			.doc = "Starts the send queue.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_MIN_RNR_TIMER,
			.doc = "Changes attributes of a working DCI.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes the send queue. The device does this itself after an "
			       "error. There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes the send queue. The device does this itself after an "
			       "error. There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes the send queue. The device does this itself after an "
			       "error. There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_ERR * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes the send queue. The device does this itself after an "
			       "error. There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_RESET * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_ERR * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
};

const struct segue_transport segue_dci_transport = {
	.name = "dci",
	.doc = "Dynamically Connected Initiator. Reliable like rc, but every request names its "
	       "peer (a DCT) and the device connects on the fly. It has no receive queue. Streams "
	       "let one DCI keep several connections.",
	.n_states = 7,
	.initial = SEGUE_QP_STATE_RESET,
	.number_at = SEGUE_QP_STATE_RESET,
	.states = dci_states,
	.table = dci_table,
};

static const struct segue_transport_state dct_states[7] = {
	[SEGUE_QP_STATE_RESET] =
		{
			.name = "RESET",
			.doc = "Known to the driver only; the object has no number.",
			.send = SEGUE_POST_NONE,
			.recv = SEGUE_POST_NONE,
		},
	[SEGUE_QP_STATE_INIT] =
		{
			.name = "INIT",
			.doc = "Known to the driver only; the object still has no number.",
			.send = SEGUE_POST_NONE,
			.recv = SEGUE_POST_NONE,
			.needs = SEGUE_QP_ATTR_ACCESS_FLAGS | SEGUE_QP_ATTR_PKEY_INDEX |
				 SEGUE_QP_ATTR_PORT,
		},
	[SEGUE_QP_STATE_RTR] =
		{
			.name = "RTR",
			.doc = "Exists in the device and answers. There is no state after this "
			       "one: to end it, destroy it.",
			.send = SEGUE_POST_NONE,
			.recv = SEGUE_POST_NONE,
			.needs = SEGUE_QP_ATTR_MIN_RNR_TIMER | SEGUE_QP_ATTR_AV |
				 SEGUE_QP_ATTR_PATH_MTU,
		},
};

static const struct segue_transition dct_table[7 * 7] = {
	[SEGUE_QP_STATE_RESET * 7 + SEGUE_QP_STATE_INIT] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_ACCESS_FLAGS | SEGUE_QP_ATTR_PKEY_INDEX |
				    SEGUE_QP_ATTR_PORT,
			.doc = "Notes the port and what initiators may do. No other attribute is "
			       "accepted.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_RTR] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_MIN_RNR_TIMER | SEGUE_QP_ATTR_AV |
				    SEGUE_QP_ATTR_PATH_MTU,
			.doc = "Creates the target in the device, which gives it its number. No "
			       "other attribute is accepted.",
		},
};

const struct segue_transport segue_dct_transport = {
	.name = "dct",
	.doc = "Dynamically Connected Target. Answers any initiator that knows its number and its "
	       "access key, and takes receives from a shared receive queue. It has no queue of its "
	       "own, and the device creates it only on the way to RTR, which is its last state.",
	.n_states = 7,
	.initial = SEGUE_QP_STATE_RESET,
	.number_at = SEGUE_QP_STATE_RTR,
	.states = dct_states,
	.table = dct_table,
};

static const struct segue_transport_state raw_packet_states[7] = {
	[SEGUE_QP_STATE_RESET] =
		{
			.name = "RESET",
			.doc = "Nothing is posted and nothing moves; libmlx5 refuses a post.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_REJECT,
		},
	[SEGUE_QP_STATE_INIT] =
		{
			.name = "INIT",
			.doc = "Receives may be posted, but their doorbell record must not be "
			       "written before RTR: the device's receive queue is already live.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_QUEUE,
			.needs = SEGUE_QP_ATTR_PORT,
		},
	[SEGUE_QP_STATE_RTR] =
		{
			.name = "RTR",
			.doc = "Takes frames; cannot send yet.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_PROCESS,
		},
	[SEGUE_QP_STATE_RTS] =
		{
			.name = "RTS",
			.doc = "Fully working.",
			.send = SEGUE_POST_PROCESS,
			.recv = SEGUE_POST_PROCESS,
		},
	[SEGUE_QP_STATE_SQD] =
		{
			.name = "SQD",
			.doc = "The send queue drains or is drained; new requests wait for RTS.",
			.send = SEGUE_POST_QUEUE,
			.recv = SEGUE_POST_PROCESS,
		},
	[SEGUE_QP_STATE_SQE] =
		{
			.name = "SQE",
			.doc = "A send request failed. Requests complete with the flush error "
			       "until the queue pair is moved back to RTS.",
			.send = SEGUE_POST_FLUSH,
			.recv = SEGUE_POST_PROCESS,
		},
	[SEGUE_QP_STATE_ERR] =
		{
			.name = "ERR",
			.doc = "Every request completes with the flush error.",
			.send = SEGUE_POST_FLUSH,
			.recv = SEGUE_POST_FLUSH,
		},
};

static const struct segue_transition raw_packet_table[7 * 7] = {
	[SEGUE_QP_STATE_RESET * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "No change.",
		},
	[SEGUE_QP_STATE_RESET * 7 + SEGUE_QP_STATE_INIT] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_PORT,
			.doc = "Binds the queue pair to a port.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_INIT] =
		{
			.valid = true,
			.doc = "No change: the kernel's table allows no attribute here.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_RTR] =
		{
			.valid = true,
			.doc = "Frames are taken from here on.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_RATE_LIMIT,
			.doc = "Starts the send queue, with packet pacing if asked for.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_RATE_LIMIT,
			.doc = "Changes the packet pacing of a working queue pair.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_SQD] =
		{
			.valid = true,
			.doc = "Lets the send queue drain. mlx5's kernel driver has no command for "
			       "this step and answers EINVAL; its queues get to SQD by themselves, "
			       "on a signature error with signature pipelining.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_SQE] =
		{
			.by_device = true,
			.doc = "A send request completed with an error.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_SQD] =
		{
			.valid = true,
			.doc = "No change: the kernel's table allows no attribute here.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.doc = "Starts the send queue again.",
		},
	[SEGUE_QP_STATE_SQE * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.doc = "Starts the send queue again after its error.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_SQE * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_ERR * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_SQE * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_ERR * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
};

const struct segue_transport segue_raw_packet_transport = {
	.name = "raw_packet",
	.doc = "Raw Ethernet. Every message is a whole frame, headers included; arriving frames "
	       "are steered to the queue by flow rules. It has no peer and hence hardly any "
	       "attributes.",
	.n_states = 7,
	.initial = SEGUE_QP_STATE_RESET,
	.number_at = SEGUE_QP_STATE_RESET,
	.states = raw_packet_states,
	.table = raw_packet_table,
};

static const struct segue_transport_state rc_states[7] = {
	[SEGUE_QP_STATE_RESET] =
		{
			.name = "RESET",
			.doc = "Nothing is posted and nothing moves; libmlx5 refuses a post.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_REJECT,
		},
	[SEGUE_QP_STATE_INIT] =
		{
			.name = "INIT",
			.doc = "Receives may be posted; none is used yet.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_QUEUE,
			.needs = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_PORT |
				 SEGUE_QP_ATTR_ACCESS_FLAGS,
		},
	[SEGUE_QP_STATE_RTR] =
		{
			.name = "RTR",
			.doc = "Answers the peer; cannot send requests of its own yet.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_PROCESS,
			.needs = SEGUE_QP_ATTR_AV | SEGUE_QP_ATTR_PATH_MTU |
				 SEGUE_QP_ATTR_DEST_QPN | SEGUE_QP_ATTR_RQ_PSN |
				 SEGUE_QP_ATTR_MAX_DEST_RD_ATOMIC | SEGUE_QP_ATTR_MIN_RNR_TIMER,
		},
	[SEGUE_QP_STATE_RTS] =
		{
			.name = "RTS",
			.doc = "Fully working.",
			.send = SEGUE_POST_PROCESS,
			.recv = SEGUE_POST_PROCESS,
			.needs = SEGUE_QP_ATTR_TIMEOUT | SEGUE_QP_ATTR_RETRY_CNT |
				 SEGUE_QP_ATTR_RNR_RETRY | SEGUE_QP_ATTR_SQ_PSN |
				 SEGUE_QP_ATTR_MAX_QP_RD_ATOMIC,
		},
	[SEGUE_QP_STATE_SQD] =
		{
			.name = "SQD",
			.doc = "The send queue drains or is drained; new requests wait for RTS.",
			.send = SEGUE_POST_QUEUE,
			.recv = SEGUE_POST_PROCESS,
		},
	[SEGUE_QP_STATE_ERR] =
		{
			.name = "ERR",
			.doc = "Every request completes with the flush error.",
			.send = SEGUE_POST_FLUSH,
			.recv = SEGUE_POST_FLUSH,
		},
};

static const struct segue_transition rc_table[7 * 7] = {
	[SEGUE_QP_STATE_RESET * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "No change.",
		},
	[SEGUE_QP_STATE_RESET * 7 + SEGUE_QP_STATE_INIT] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_PORT |
				    SEGUE_QP_ATTR_ACCESS_FLAGS,
			.doc = "Binds the queue pair to a port and says what the peer may do.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_INIT] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_PORT |
				    SEGUE_QP_ATTR_ACCESS_FLAGS,
			.doc = "Corrects what INIT was given.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_RTR] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_AV | SEGUE_QP_ATTR_PATH_MTU |
				    SEGUE_QP_ATTR_DEST_QPN | SEGUE_QP_ATTR_RQ_PSN |
				    SEGUE_QP_ATTR_MAX_DEST_RD_ATOMIC | SEGUE_QP_ATTR_MIN_RNR_TIMER,
			.optional = SEGUE_QP_ATTR_ALT_PATH | SEGUE_QP_ATTR_ACCESS_FLAGS |
				    SEGUE_QP_ATTR_PKEY_INDEX,
			.doc = "Names the peer; packets from it are answered from here on.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_TIMEOUT | SEGUE_QP_ATTR_RETRY_CNT |
				    SEGUE_QP_ATTR_RNR_RETRY | SEGUE_QP_ATTR_SQ_PSN |
				    SEGUE_QP_ATTR_MAX_QP_RD_ATOMIC,
			.optional = SEGUE_QP_ATTR_CUR_STATE | SEGUE_QP_ATTR_ALT_PATH |
				    SEGUE_QP_ATTR_ACCESS_FLAGS | SEGUE_QP_ATTR_MIN_RNR_TIMER |
				    SEGUE_QP_ATTR_PATH_MIG_STATE,
			.doc = "Starts the send queue.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_CUR_STATE | SEGUE_QP_ATTR_ACCESS_FLAGS |
				    SEGUE_QP_ATTR_ALT_PATH | SEGUE_QP_ATTR_PATH_MIG_STATE |
				    SEGUE_QP_ATTR_MIN_RNR_TIMER,
			.doc = "Changes attributes of a working queue pair.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_SQD] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_EN_SQD_ASYNC_NOTIFY,
			.doc = "Lets the send queue drain. mlx5's kernel driver has no command for "
			       "this step and answers EINVAL; its queues get to SQD by themselves, "
			       "on a signature error with signature pipelining.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_SQD] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_PORT | SEGUE_QP_ATTR_AV | SEGUE_QP_ATTR_TIMEOUT |
				    SEGUE_QP_ATTR_RETRY_CNT | SEGUE_QP_ATTR_RNR_RETRY |
				    SEGUE_QP_ATTR_MAX_QP_RD_ATOMIC |
				    SEGUE_QP_ATTR_MAX_DEST_RD_ATOMIC | SEGUE_QP_ATTR_ALT_PATH |
				    SEGUE_QP_ATTR_ACCESS_FLAGS | SEGUE_QP_ATTR_PKEY_INDEX |
				    SEGUE_QP_ATTR_MIN_RNR_TIMER | SEGUE_QP_ATTR_PATH_MIG_STATE,
			.doc = "Changes attributes that must not change while requests are under "
			       "way. mlx5's kernel driver has no command for this step.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_CUR_STATE | SEGUE_QP_ATTR_ALT_PATH |
				    SEGUE_QP_ATTR_ACCESS_FLAGS | SEGUE_QP_ATTR_MIN_RNR_TIMER |
				    SEGUE_QP_ATTR_PATH_MIG_STATE,
			.doc = "Starts the send queue again.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_ERR * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_ERR * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
};

const struct segue_transport segue_rc_transport = {
	.name = "rc",
	.doc = "Reliable Connected. One peer, in order, acknowledged and retried. There is no SQE "
	       "state: an error of the send queue takes the whole queue pair to ERR.",
	.n_states = 7,
	.initial = SEGUE_QP_STATE_RESET,
	.number_at = SEGUE_QP_STATE_RESET,
	.states = rc_states,
	.table = rc_table,
};

static const struct segue_transport_state uc_states[7] = {
	[SEGUE_QP_STATE_RESET] =
		{
			.name = "RESET",
			.doc = "Nothing is posted and nothing moves; libmlx5 refuses a post.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_REJECT,
		},
	[SEGUE_QP_STATE_INIT] =
		{
			.name = "INIT",
			.doc = "Receives may be posted; none is used yet.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_QUEUE,
			.needs = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_PORT |
				 SEGUE_QP_ATTR_ACCESS_FLAGS,
		},
	[SEGUE_QP_STATE_RTR] =
		{
			.name = "RTR",
			.doc = "Takes messages from the peer; cannot send yet.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_PROCESS,
			.needs = SEGUE_QP_ATTR_AV | SEGUE_QP_ATTR_PATH_MTU |
				 SEGUE_QP_ATTR_DEST_QPN | SEGUE_QP_ATTR_RQ_PSN,
		},
	[SEGUE_QP_STATE_RTS] =
		{
			.name = "RTS",
			.doc = "Fully working.",
			.send = SEGUE_POST_PROCESS,
			.recv = SEGUE_POST_PROCESS,
			.needs = SEGUE_QP_ATTR_SQ_PSN,
		},
	[SEGUE_QP_STATE_SQD] =
		{
			.name = "SQD",
			.doc = "The send queue drains or is drained; new requests wait for RTS.",
			.send = SEGUE_POST_QUEUE,
			.recv = SEGUE_POST_PROCESS,
		},
	[SEGUE_QP_STATE_SQE] =
		{
			.name = "SQE",
			.doc = "A send request failed. Requests complete with the flush error "
			       "until the queue pair is moved back to RTS.",
			.send = SEGUE_POST_FLUSH,
			.recv = SEGUE_POST_PROCESS,
		},
	[SEGUE_QP_STATE_ERR] =
		{
			.name = "ERR",
			.doc = "Every request completes with the flush error.",
			.send = SEGUE_POST_FLUSH,
			.recv = SEGUE_POST_FLUSH,
		},
};

static const struct segue_transition uc_table[7 * 7] = {
	[SEGUE_QP_STATE_RESET * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "No change.",
		},
	[SEGUE_QP_STATE_RESET * 7 + SEGUE_QP_STATE_INIT] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_PORT |
				    SEGUE_QP_ATTR_ACCESS_FLAGS,
			.doc = "Binds the queue pair to a port and says what the peer may do.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_INIT] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_PORT |
				    SEGUE_QP_ATTR_ACCESS_FLAGS,
			.doc = "Corrects what INIT was given.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_RTR] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_AV | SEGUE_QP_ATTR_PATH_MTU |
				    SEGUE_QP_ATTR_DEST_QPN | SEGUE_QP_ATTR_RQ_PSN,
			.optional = SEGUE_QP_ATTR_ALT_PATH | SEGUE_QP_ATTR_ACCESS_FLAGS |
				    SEGUE_QP_ATTR_PKEY_INDEX,
			.doc = "Names the peer; messages from it are taken from here on.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_SQ_PSN,
			.optional = SEGUE_QP_ATTR_CUR_STATE | SEGUE_QP_ATTR_ALT_PATH |
				    SEGUE_QP_ATTR_ACCESS_FLAGS | SEGUE_QP_ATTR_PATH_MIG_STATE,
			.doc = "Starts the send queue.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_CUR_STATE | SEGUE_QP_ATTR_ACCESS_FLAGS |
				    SEGUE_QP_ATTR_ALT_PATH | SEGUE_QP_ATTR_PATH_MIG_STATE,
			.doc = "Changes attributes of a working queue pair.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_SQD] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_EN_SQD_ASYNC_NOTIFY,
			.doc = "Lets the send queue drain. mlx5's kernel driver has no command for "
			       "this step and answers EINVAL; its queues get to SQD by themselves, "
			       "on a signature error with signature pipelining.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_SQE] =
		{
			.by_device = true,
			.doc = "A send request completed with an error.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_SQD] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_AV | SEGUE_QP_ATTR_ALT_PATH |
				    SEGUE_QP_ATTR_ACCESS_FLAGS | SEGUE_QP_ATTR_PKEY_INDEX |
				    SEGUE_QP_ATTR_PATH_MIG_STATE,
			.doc = "Changes attributes that must not change while requests are under "
			       "way. mlx5's kernel driver has no command for this step.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_CUR_STATE | SEGUE_QP_ATTR_ALT_PATH |
				    SEGUE_QP_ATTR_ACCESS_FLAGS | SEGUE_QP_ATTR_PATH_MIG_STATE,
			.doc = "Starts the send queue again.",
		},
	[SEGUE_QP_STATE_SQE * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_CUR_STATE | SEGUE_QP_ATTR_ACCESS_FLAGS,
			.doc = "Starts the send queue again after its error.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_SQE * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_ERR * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_SQE * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_ERR * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
};

const struct segue_transport segue_uc_transport = {
	.name = "uc",
	.doc = "Unreliable Connected. One peer, no acknowledgement: a lost packet loses its "
	       "message. Sends and writes only, no reads and no atomics.",
	.n_states = 7,
	.initial = SEGUE_QP_STATE_RESET,
	.number_at = SEGUE_QP_STATE_RESET,
	.states = uc_states,
	.table = uc_table,
};

static const struct segue_transport_state ud_states[7] = {
	[SEGUE_QP_STATE_RESET] =
		{
			.name = "RESET",
			.doc = "Nothing is posted and nothing moves; libmlx5 refuses a post.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_REJECT,
		},
	[SEGUE_QP_STATE_INIT] =
		{
			.name = "INIT",
			.doc = "Receives may be posted; none is used yet.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_QUEUE,
			.needs = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_PORT | SEGUE_QP_ATTR_QKEY,
		},
	[SEGUE_QP_STATE_RTR] =
		{
			.name = "RTR",
			.doc = "Takes datagrams; cannot send yet.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_PROCESS,
		},
	[SEGUE_QP_STATE_RTS] =
		{
			.name = "RTS",
			.doc = "Fully working.",
			.send = SEGUE_POST_PROCESS,
			.recv = SEGUE_POST_PROCESS,
			.needs = SEGUE_QP_ATTR_SQ_PSN,
		},
	[SEGUE_QP_STATE_SQD] =
		{
			.name = "SQD",
			.doc = "The send queue drains or is drained; new requests wait for RTS.",
			.send = SEGUE_POST_QUEUE,
			.recv = SEGUE_POST_PROCESS,
		},
	[SEGUE_QP_STATE_SQE] =
		{
			.name = "SQE",
			.doc = "A send request failed. Requests complete with the flush error "
			       "until the queue pair is moved back to RTS.",
			.send = SEGUE_POST_FLUSH,
			.recv = SEGUE_POST_PROCESS,
		},
	[SEGUE_QP_STATE_ERR] =
		{
			.name = "ERR",
			.doc = "Every request completes with the flush error.",
			.send = SEGUE_POST_FLUSH,
			.recv = SEGUE_POST_FLUSH,
		},
};

static const struct segue_transition ud_table[7 * 7] = {
	[SEGUE_QP_STATE_RESET * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "No change.",
		},
	[SEGUE_QP_STATE_RESET * 7 + SEGUE_QP_STATE_INIT] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_PORT |
				    SEGUE_QP_ATTR_QKEY,
			.doc = "Binds the queue pair to a port and to the key that its senders "
			       "must know.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_INIT] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_PORT |
				    SEGUE_QP_ATTR_QKEY,
			.doc = "Corrects what INIT was given.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_RTR] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_QKEY,
			.doc = "Datagrams are taken from here on.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_SQ_PSN,
			.optional = SEGUE_QP_ATTR_CUR_STATE | SEGUE_QP_ATTR_QKEY,
			.doc = "Starts the send queue.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_CUR_STATE | SEGUE_QP_ATTR_QKEY,
			.doc = "Changes attributes of a working queue pair.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_SQD] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_EN_SQD_ASYNC_NOTIFY,
			.doc = "Lets the send queue drain. mlx5's kernel driver has no command for "
			       "this step and answers EINVAL; its queues get to SQD by themselves, "
			       "on a signature error with signature pipelining.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_SQE] =
		{
			.by_device = true,
			.doc = "A send request completed with an error.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_SQD] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_QKEY,
			.doc = "Changes attributes that must not change while requests are under "
			       "way. mlx5's kernel driver has no command for this step.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_CUR_STATE | SEGUE_QP_ATTR_QKEY,
			.doc = "Starts the send queue again.",
		},
	[SEGUE_QP_STATE_SQE * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_CUR_STATE | SEGUE_QP_ATTR_QKEY,
			.doc = "Starts the send queue again after its error.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_SQE * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_ERR * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes both queues. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_SQE * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_ERR * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
};

const struct segue_transport segue_ud_transport = {
	.name = "ud",
	.doc = "Unreliable Datagram. Any peer, one packet per message, no acknowledgement; every "
	       "send request carries the address of its receiver. Sends only.",
	.n_states = 7,
	.initial = SEGUE_QP_STATE_RESET,
	.number_at = SEGUE_QP_STATE_RESET,
	.states = ud_states,
	.table = ud_table,
};

static const struct segue_transport_state xrc_initiator_states[7] = {
	[SEGUE_QP_STATE_RESET] =
		{
			.name = "RESET",
			.doc = "Nothing is posted and nothing moves; libmlx5 refuses a post.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_NONE,
		},
	[SEGUE_QP_STATE_INIT] =
		{
			.name = "INIT",
			.doc = "Bound to a port.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_NONE,
			.needs = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_PORT |
				 SEGUE_QP_ATTR_ACCESS_FLAGS,
		},
	[SEGUE_QP_STATE_RTR] =
		{
			.name = "RTR",
			.doc = "Knows its peer; cannot send requests yet.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_NONE,
			.needs = SEGUE_QP_ATTR_AV | SEGUE_QP_ATTR_PATH_MTU |
				 SEGUE_QP_ATTR_DEST_QPN | SEGUE_QP_ATTR_RQ_PSN,
		},
	[SEGUE_QP_STATE_RTS] =
		{
			.name = "RTS",
			.doc = "Fully working.",
			.send = SEGUE_POST_PROCESS,
			.recv = SEGUE_POST_NONE,
			.needs = SEGUE_QP_ATTR_TIMEOUT | SEGUE_QP_ATTR_RETRY_CNT |
				 SEGUE_QP_ATTR_RNR_RETRY | SEGUE_QP_ATTR_SQ_PSN |
				 SEGUE_QP_ATTR_MAX_QP_RD_ATOMIC,
		},
	[SEGUE_QP_STATE_SQD] =
		{
			.name = "SQD",
			.doc = "The send queue drains or is drained; new requests wait for RTS.",
			.send = SEGUE_POST_QUEUE,
			.recv = SEGUE_POST_NONE,
		},
	[SEGUE_QP_STATE_ERR] =
		{
			.name = "ERR",
			.doc = "Every request completes with the flush error.",
			.send = SEGUE_POST_FLUSH,
			.recv = SEGUE_POST_NONE,
		},
};

static const struct segue_transition xrc_initiator_table[7 * 7] = {
	[SEGUE_QP_STATE_RESET * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "No change.",
		},
	[SEGUE_QP_STATE_RESET * 7 + SEGUE_QP_STATE_INIT] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_PORT |
				    SEGUE_QP_ATTR_ACCESS_FLAGS,
			.doc = "Binds the queue pair to a port.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_INIT] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_PORT |
				    SEGUE_QP_ATTR_ACCESS_FLAGS,
			.doc = "Corrects what INIT was given.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_RTR] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_AV | SEGUE_QP_ATTR_PATH_MTU |
				    SEGUE_QP_ATTR_DEST_QPN | SEGUE_QP_ATTR_RQ_PSN,
			.optional = SEGUE_QP_ATTR_ALT_PATH | SEGUE_QP_ATTR_ACCESS_FLAGS |
				    SEGUE_QP_ATTR_PKEY_INDEX,
			.doc = "Names the peer. What a responder needs (receiver-not-ready timer, "
			       "reads to serve) is not asked for.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_TIMEOUT | SEGUE_QP_ATTR_RETRY_CNT |
				    SEGUE_QP_ATTR_RNR_RETRY | SEGUE_QP_ATTR_SQ_PSN |
				    SEGUE_QP_ATTR_MAX_QP_RD_ATOMIC,
			.optional = SEGUE_QP_ATTR_CUR_STATE | SEGUE_QP_ATTR_ALT_PATH |
				    SEGUE_QP_ATTR_ACCESS_FLAGS | SEGUE_QP_ATTR_PATH_MIG_STATE,
			.doc = "Starts the send queue.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_CUR_STATE | SEGUE_QP_ATTR_ACCESS_FLAGS |
				    SEGUE_QP_ATTR_ALT_PATH | SEGUE_QP_ATTR_PATH_MIG_STATE,
			.doc = "Changes attributes of a working queue pair.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_SQD] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_EN_SQD_ASYNC_NOTIFY,
			.doc = "Lets the send queue drain. mlx5's kernel driver has no command for "
			       "this step and answers EINVAL; its queues get to SQD by themselves, "
			       "on a signature error with signature pipelining.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_SQD] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_PORT | SEGUE_QP_ATTR_AV | SEGUE_QP_ATTR_TIMEOUT |
				    SEGUE_QP_ATTR_RETRY_CNT | SEGUE_QP_ATTR_RNR_RETRY |
				    SEGUE_QP_ATTR_MAX_QP_RD_ATOMIC | SEGUE_QP_ATTR_ALT_PATH |
				    SEGUE_QP_ATTR_ACCESS_FLAGS | SEGUE_QP_ATTR_PKEY_INDEX |
				    SEGUE_QP_ATTR_PATH_MIG_STATE,
			.doc = "Changes attributes that must not change while requests are under "
			       "way. mlx5's kernel driver has no command for this step.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_CUR_STATE | SEGUE_QP_ATTR_ALT_PATH |
				    SEGUE_QP_ATTR_ACCESS_FLAGS | SEGUE_QP_ATTR_PATH_MIG_STATE,
			.doc = "Starts the send queue again.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes the send queue. The device does this itself after an "
			       "error. There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes the send queue. The device does this itself after an "
			       "error. There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes the send queue. The device does this itself after an "
			       "error. There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes the send queue. The device does this itself after an "
			       "error. There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_ERR * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Flushes the send queue. The device does this itself after an "
			       "error. There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
	[SEGUE_QP_STATE_ERR * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops everything, completions still in the CQ included.",
		},
};

const struct segue_transport segue_xrc_initiator_transport = {
	.name = "xrc_initiator",
	.doc = "Extended Reliable Connected, sending side. One connection to a node, over which "
	       "requests reach any XRC shared receive queue there; every request names the one it "
	       "is meant for. It has no receive queue.",
	.n_states = 7,
	.initial = SEGUE_QP_STATE_RESET,
	.number_at = SEGUE_QP_STATE_RESET,
	.states = xrc_initiator_states,
	.table = xrc_initiator_table,
};

static const struct segue_transport_state xrc_target_states[7] = {
	[SEGUE_QP_STATE_RESET] =
		{
			.name = "RESET",
			.doc = "Nothing moves.",
			.send = SEGUE_POST_NONE,
			.recv = SEGUE_POST_NONE,
		},
	[SEGUE_QP_STATE_INIT] =
		{
			.name = "INIT",
			.doc = "Bound to a port; packets are dropped.",
			.send = SEGUE_POST_NONE,
			.recv = SEGUE_POST_NONE,
			.needs = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_PORT |
				 SEGUE_QP_ATTR_ACCESS_FLAGS,
		},
	[SEGUE_QP_STATE_RTR] =
		{
			.name = "RTR",
			.doc = "Answers its initiator.",
			.send = SEGUE_POST_NONE,
			.recv = SEGUE_POST_NONE,
			.needs = SEGUE_QP_ATTR_AV | SEGUE_QP_ATTR_PATH_MTU |
				 SEGUE_QP_ATTR_DEST_QPN | SEGUE_QP_ATTR_RQ_PSN |
				 SEGUE_QP_ATTR_MAX_DEST_RD_ATOMIC | SEGUE_QP_ATTR_MIN_RNR_TIMER,
		},
	[SEGUE_QP_STATE_RTS] =
		{
			.name = "RTS",
			.doc = "Answers its initiator, as in RTR; a target may stay in RTR.",
			.send = SEGUE_POST_NONE,
			.recv = SEGUE_POST_NONE,
			.needs = SEGUE_QP_ATTR_TIMEOUT | SEGUE_QP_ATTR_SQ_PSN,
		},
	[SEGUE_QP_STATE_SQD] =
		{
			.name = "SQD",
			.doc = "Answers its initiator, as in RTR.",
			.send = SEGUE_POST_NONE,
			.recv = SEGUE_POST_NONE,
		},
	[SEGUE_QP_STATE_ERR] =
		{
			.name = "ERR",
			.doc = "Answers nobody any more.",
			.send = SEGUE_POST_NONE,
			.recv = SEGUE_POST_NONE,
		},
};

static const struct segue_transition xrc_target_table[7 * 7] = {
	[SEGUE_QP_STATE_RESET * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "No change.",
		},
	[SEGUE_QP_STATE_RESET * 7 + SEGUE_QP_STATE_INIT] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_PORT |
				    SEGUE_QP_ATTR_ACCESS_FLAGS,
			.doc = "Binds the queue pair to a port and says what the peer may do.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_INIT] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_PKEY_INDEX | SEGUE_QP_ATTR_PORT |
				    SEGUE_QP_ATTR_ACCESS_FLAGS,
			.doc = "Corrects what INIT was given.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_RTR] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_AV | SEGUE_QP_ATTR_PATH_MTU |
				    SEGUE_QP_ATTR_DEST_QPN | SEGUE_QP_ATTR_RQ_PSN |
				    SEGUE_QP_ATTR_MAX_DEST_RD_ATOMIC | SEGUE_QP_ATTR_MIN_RNR_TIMER,
			.optional = SEGUE_QP_ATTR_ALT_PATH | SEGUE_QP_ATTR_ACCESS_FLAGS |
				    SEGUE_QP_ATTR_PKEY_INDEX,
			.doc = "Names the initiator; packets from it are answered from here on.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_TIMEOUT | SEGUE_QP_ATTR_SQ_PSN,
			.optional = SEGUE_QP_ATTR_CUR_STATE | SEGUE_QP_ATTR_ALT_PATH |
				    SEGUE_QP_ATTR_ACCESS_FLAGS | SEGUE_QP_ATTR_MIN_RNR_TIMER |
				    SEGUE_QP_ATTR_PATH_MIG_STATE,
			.doc = "Not needed to receive; kept for symmetry with the initiator.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_CUR_STATE | SEGUE_QP_ATTR_ACCESS_FLAGS |
				    SEGUE_QP_ATTR_ALT_PATH | SEGUE_QP_ATTR_PATH_MIG_STATE |
				    SEGUE_QP_ATTR_MIN_RNR_TIMER,
			.doc = "Changes attributes of a working queue pair.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_SQD] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_EN_SQD_ASYNC_NOTIFY,
			.doc = "Allowed by the kernel's table although there is no send queue.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_SQD] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_PORT | SEGUE_QP_ATTR_AV | SEGUE_QP_ATTR_TIMEOUT |
				    SEGUE_QP_ATTR_MAX_DEST_RD_ATOMIC | SEGUE_QP_ATTR_ALT_PATH |
				    SEGUE_QP_ATTR_ACCESS_FLAGS | SEGUE_QP_ATTR_PKEY_INDEX |
				    SEGUE_QP_ATTR_MIN_RNR_TIMER | SEGUE_QP_ATTR_PATH_MIG_STATE,
			.doc = "Changes attributes of the path.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.optional = SEGUE_QP_ATTR_CUR_STATE | SEGUE_QP_ATTR_ALT_PATH |
				    SEGUE_QP_ATTR_ACCESS_FLAGS | SEGUE_QP_ATTR_MIN_RNR_TIMER |
				    SEGUE_QP_ATTR_PATH_MIG_STATE,
			.doc = "Back to work.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Ends the connection. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Ends the connection. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Ends the connection. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Ends the connection. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_ERR * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "Ends the connection. The device does this itself after an error. "
			       "There is no way from RESET to ERR.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops the connection.",
		},
	[SEGUE_QP_STATE_RTR * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops the connection.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops the connection.",
		},
	[SEGUE_QP_STATE_SQD * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops the connection.",
		},
	[SEGUE_QP_STATE_ERR * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "Drops the connection.",
		},
};

const struct segue_transport segue_xrc_target_transport = {
	.name = "xrc_target",
	.doc = "Extended Reliable Connected, receiving side. Answers one initiator and hands its "
	       "messages to the XRC shared receive queue that each of them names. It has neither a "
	       "send nor a receive queue of its own.",
	.n_states = 7,
	.initial = SEGUE_QP_STATE_RESET,
	.number_at = SEGUE_QP_STATE_RESET,
	.states = xrc_target_states,
	.table = xrc_target_table,
};

const struct segue_transport *const segue_transports[] = {
	/* dci */
	&segue_dci_transport,
	/* dct */
	&segue_dct_transport,
	/* raw_packet */
	&segue_raw_packet_transport,
	/* rc */
	&segue_rc_transport,
	/* uc */
	&segue_uc_transport,
	/* ud */
	&segue_ud_transport,
	/* xrc_initiator */
	&segue_xrc_initiator_transport,
	/* xrc_target */
	&segue_xrc_target_transport,
	/* the end */
	NULL,
};
