// SPDX-License-Identifier: BSD-2-Clause
#include "tests/requests/mirror_queue.h"

#include <string.h>

#include "tests/requests/mirror.h"

extern "C" {
#include "runtime/text/decode.h"
}
#include "segue/gen/machines.h"
#include "segue/gen/segments.h"
#include "segue/tables.h"

namespace requests {
namespace {

// What is different in the same request on another queue.
struct Own {
	const char *segment, *field;
	const char *request = nullptr; // in that only
};

constexpr Own OWN[] = {
	{"ctrl", "wqe_index"}, // how many were posted before
	{"ctrl", "qpn"},
	{"mkey_bind", "qpn", "bind_mw"}, // a window of type 2 is one queue pair's
	{"bind_klm", "mkey"},            // libmlx5 wants to see a region
	// libmlx5 leaves the freed key 0 there, Segue what it had
	{"mkey_invalidate", "mkey_7_0", "local_inv"},
	{"mmo_metadata", "local_key"},   // libmlx5 has scratch memory of its own
	{"mmo_metadata", "local_address"},
	{"bsf", "m_psv"}, // its own numbers of what keys are protected with
	{"set_psv", "psv_index"},
	{"crypto_bsf", "dek_ptr"},
	{"ctrl", "ce", "umr_list_sig"}, // its SET_PSV completes, behind the UMR
	{"ctrl", "ce", "umr_list_sig_crypto"},
	{"ctrl", "ce", "umr_interleaved_sig"},
	{"ctrl", "ce", "umr_interleaved_sig_crypto"},
};

void copy_bits(const segue_field_desc &field, const uint8_t *from, uint8_t *to)
{
	for (size_t bit = seguei_first_bit(&field); bit < seguei_first_bit(&field) + field.width;
	     bit++) {
		const uint8_t mask = (uint8_t)(0x80 >> bit % 8);

		to[bit / 8] = (uint8_t)((to[bit / 8] & ~mask) | (from[bit / 8] & mask));
	}
}

bool is_own(const Own &own, const Posted &posted, const Part &part)
{
	return !strcmp(own.segment, part.segment->name) &&
	       (!own.request || posted.request == own.request);
}

} // namespace

ibv_qp_type type_of(const std::string &queue)
{
	return queue == "rc"		? IBV_QPT_RC
	       : queue == "uc"		? IBV_QPT_UC
	       : queue == "ud"		? IBV_QPT_UD
	       : queue == "dci"		? IBV_QPT_DRIVER
	       : queue == "raw_packet"	? IBV_QPT_RAW_PACKET
					: IBV_QPT_XRC_SEND;
}

unsigned access_of(const Posted &posted, const char *segment)
{
	const uint64_t access = posted.value(segment, "access_flags");

	return (access & SEGUE_MKEY_ACCESS_LOCAL_WRITE ? (unsigned)IBV_ACCESS_LOCAL_WRITE : 0) |
	       (access & SEGUE_MKEY_ACCESS_REMOTE_READ ? (unsigned)IBV_ACCESS_REMOTE_READ : 0) |
	       (access & SEGUE_MKEY_ACCESS_REMOTE_WRITE ? (unsigned)IBV_ACCESS_REMOTE_WRITE : 0) |
	       (access & SEGUE_MKEY_ACCESS_ATOMIC ? (unsigned)IBV_ACCESS_REMOTE_ATOMIC : 0);
}

Sender::Sender(ibv_qp_type type, uint64_t mlx5_ops)
{
	mlx5dv_obj object = {};

	create(type, mlx5_ops);
	EXPECT_NE(nullptr, qp) << strerror(errno);
	if (!qp)
		return;
	poster.Open(qp, type);
	fail(type);
	object.qp.in = qp;
	object.qp.out = &ring;
	EXPECT_EQ(0, mlx5dv_init_obj(&object, MLX5DV_OBJ_QP));
	memset(ring.sq.buf, 0, (size_t)ring.sq.wqe_cnt * ring.sq.stride);
}

Sender::~Sender()
{
	if (qp) {
		EXPECT_EQ(0, ibv_destroy_qp(qp));
	}
}

void Sender::create(ibv_qp_type type, uint64_t mlx5_ops)
{
	const Device &device = Device::Get();
	const bool receives = type != IBV_QPT_XRC_SEND && type != IBV_QPT_DRIVER;
	ibv_qp_init_attr_ex init = {};
	mlx5dv_qp_init_attr dv = {};

	init.qp_type = type;
	init.send_cq = device.cq;
	init.recv_cq = type == IBV_QPT_XRC_SEND ? nullptr : device.cq;
	init.pd = device.pd;
	init.cap.max_send_wr = 16;
	init.cap.max_send_sge = kMaxSge;
	init.cap.max_inline_data = 400;
	init.cap.max_recv_wr = init.cap.max_recv_sge = receives;
	init.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
	init.send_ops_flags = OpsOf(type);
	if (type == IBV_QPT_RAW_PACKET) {
		init.comp_mask |= IBV_QP_INIT_ATTR_MAX_TSO_HEADER;
		init.max_tso_header = 90;
	}
	if (type == IBV_QPT_DRIVER) {
		dv.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC;
		dv.dc_init_attr.dc_type = MLX5DV_DCTYPE_DCI;
	}
	if (mlx5_ops) {
		dv.comp_mask |= MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS;
		dv.send_ops_flags = mlx5_ops;
	}
	qp = mlx5dv_create_qp(device.context, &init, dv.comp_mask ? &dv : nullptr);
}

void Sender::fail(ibv_qp_type type)
{
	ibv_qp_attr attr = {};

	ASSERT_NO_FATAL_FAILURE(ToRts(qp, type));
	attr.qp_state = IBV_QPS_ERR;
	ASSERT_EQ(0, ibv_modify_qp(qp, &attr, IBV_QP_STATE));
}

void Sender::complete()
{
	ASSERT_EQ(0, ibv_wr_complete(poster.qpx));
	Device::Get().WaitFor(1);
}

const uint8_t *Sender::at(uint32_t block) const
{
	return static_cast<const uint8_t *>(ring.sq.buf) +
	       (size_t)(block % ring.sq.wqe_cnt) * ring.sq.stride;
}

std::vector<uint8_t> Sender::written(size_t length, uint32_t behind)
{
	std::vector<uint8_t> bytes;
	segue_seg_ctrl ctrl;

	for (uint32_t nth = 0; nth <= behind; nth++) {
		uint32_t blocks;

		segue_seg_ctrl_unpack(&ctrl, at(next));
		blocks = (ctrl.ds * segue_control.unit + ring.sq.stride - 1) / ring.sq.stride;
		for (uint32_t i = 0; nth == behind && i < blocks; i++)
			bytes.insert(bytes.end(), at(next + i), at(next + i) + ring.sq.stride);
		next += blocks;
	}
	bytes.resize(length);
	// what libmlx5 does not write counts as zero
	memset(ring.sq.buf, 0, (size_t)ring.sq.wqe_cnt * ring.sq.stride);
	return bytes;
}

std::vector<uint8_t> with_own(const Posted &posted, std::vector<uint8_t> theirs)
{
	if (theirs.size() < posted.bytes.size())
		return theirs;
	for (const Part &part : posted.parts)
		for (const Own &own : OWN)
			for (uint16_t i = 0;
			     is_own(own, posted, part) && i < part.segment->field_count; i++)
				if (!strcmp(own.field, part.segment->fields[i].name))
					copy_bits(part.segment->fields[i],
						  posted.bytes.data() + part.at,
						  theirs.data() + part.at);
	return theirs;
}

std::set<std::string> own_fields()
{
	std::set<std::string> names;

	for (const Own &own : OWN)
		names.insert(std::string(own.segment) + "." + own.field +
			     (own.request ? std::string(" of ") + own.request : ""));
	return names;
}

} // namespace requests
