/* SPDX-License-Identifier: BSD-2-Clause */
/* What the comparisons with libmlx5 share: the device, the dice's seed, the number of rounds. */
#ifndef SEGUE_TESTS_LIBMLX5_H
#define SEGUE_TESTS_LIBMLX5_H

#include <gtest/gtest.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <sched.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

#include "segue/gen/segments.h"
#include "tests/seed/seed.h"

constexpr uint32_t kMaxSge = 6;

inline uint64_t Seed()
{
	return segue_test_seed();
}

inline uint32_t Count()
{
	const char *given = getenv("SEGUE_TEST_COUNT");

	return given ? uint32_t(strtoul(given, nullptr, 0)) : 100000;
}

inline std::string Hex(const uint8_t *bytes, size_t n)
{
	std::string text;
	char two[4];

	for (size_t i = 0; i < n; i++) {
		snprintf(two, sizeof(two), "%02x", bytes[i]);
		text += two;
		text += i % 16 == 15 ? "\n" : (i % 4 == 3 ? " " : "");
	}
	return text;
}

class Device
{
      public:
	static Device &Get()
	{
		static Device device;
		return device;
	}

	ibv_context *context = nullptr;
	ibv_pd *pd = nullptr;
	ibv_cq *cq = nullptr;
	ibv_mr *mr = nullptr;
	ibv_ah *ah = nullptr;
	segue_address_vector ud_ah, dc_ah;
	ibv_port_attr port;
	union ibv_gid gid;
	bool roce = false;
	uint8_t memory[4096];

	ibv_ah_attr AhAttr() const
	{
		ibv_ah_attr attr = {};

		attr.port_num = 1;
		attr.sl = 3;
		attr.static_rate = 0;
		if (roce) {
			attr.is_global = 1;
			attr.grh.dgid = gid;
			attr.grh.sgid_index = 3;
			attr.grh.hop_limit = 64;
			attr.grh.traffic_class = 0x68;
			attr.grh.flow_label = 0x12345;
		} else {
			attr.dlid = port.lid;
		}
		return attr;
	}

	/* Takes completions until that of this request has come. */
	void WaitFor(uint64_t wr_id) const
	{
		ibv_wc wc;

		for (uint64_t turns = 0;; turns++) {
			const int got = ibv_poll_cq(cq, 1, &wc);

			ASSERT_GE(got, 0);
			ASSERT_LT(turns, 1u << 30) << "no completion";
			if (got && wc.wr_id == wr_id)
				return;
			if (!got)
				sched_yield(); /* the device may need this CPU */
		}
	}

      private:
	Device()
	{
		int n = 0;
		ibv_device **list = ibv_get_device_list(&n);

		if (n)
			context = mlx5dv_open_device(list[0], &dv_attr_);
		if (list)
			ibv_free_device_list(list);
		if (!context)
			return;
		pd = ibv_alloc_pd(context);
		cq = ibv_create_cq(context, 4096, nullptr, nullptr, 0);
		mr = ibv_reg_mr(pd, memory, sizeof(memory),
				IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND);
		ibv_query_port(context, 1, &port);
		roce = port.link_layer == IBV_LINK_LAYER_ETHERNET;
		ibv_query_gid(context, 1, roce ? 3 : 0, &gid);
		MakeAh();
	}

	/* Our address vector from its parts; libmlx5 has made its own of the same. */
	void MakeAh()
	{
		ibv_ah_attr attr = AhAttr();
		mlx5dv_ah dv = {};
		mlx5dv_obj object = {};
		segue_seg_av_ud ud;
		segue_seg_av_dc dc;
		uint8_t bytes[48];

		ah = ibv_create_ah(pd, &attr);
		object.ah.in = ah;
		object.ah.out = &dv;
		if (!ah || mlx5dv_init_obj(&object, MLX5DV_OBJ_AH))
			return;
		memcpy(bytes, dv.av, sizeof(bytes));
		/* Round trip through our own layout; what it does not know would be lost and found
		 * below. */
		segue_seg_av_ud_unpack(&ud, bytes);
		segue_seg_av_ud_prepare(&ud_ah, &ud);
		segue_seg_av_dc_unpack(&dc, bytes);
		segue_seg_av_dc_prepare(&dc_ah, &dc);
	}

	mlx5dv_context_attr dv_attr_ = {};
};

/* Connected to itself. Before that libmlx5 takes no posts. */
inline void ToRts(ibv_qp *qp, ibv_qp_type type)
{
	const bool raw = type == IBV_QPT_RAW_PACKET, ud = type == IBV_QPT_UD,
		   dci = type == IBV_QPT_DRIVER;
	const bool reliable = type == IBV_QPT_RC || type == IBV_QPT_XRC_SEND;
	ibv_qp_attr attr = {};

	attr.qp_state = IBV_QPS_INIT;
	attr.port_num = 1;
	attr.qkey = 7;
	attr.qp_access_flags = IBV_ACCESS_REMOTE_WRITE;
	ASSERT_EQ(0, ibv_modify_qp(qp, &attr,
				   IBV_QP_STATE | IBV_QP_PORT | (raw ? 0 : IBV_QP_PKEY_INDEX) |
					   (ud ? IBV_QP_QKEY : 0) |
					   (raw || ud || dci ? 0 : IBV_QP_ACCESS_FLAGS)));
	attr.qp_state = IBV_QPS_RTR;
	attr.path_mtu = IBV_MTU_1024;
	attr.ah_attr = Device::Get().AhAttr();
	attr.dest_qp_num = qp->qp_num;
	attr.max_dest_rd_atomic = 1;
	attr.min_rnr_timer = 1;
	ASSERT_EQ(0,
		  ibv_modify_qp(qp, &attr,
				IBV_QP_STATE | (raw || ud ? 0 : IBV_QP_AV | IBV_QP_PATH_MTU) |
					(raw || ud || dci ? 0 : IBV_QP_DEST_QPN | IBV_QP_RQ_PSN) |
					(reliable ? IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER
						  : 0)));
	attr.qp_state = IBV_QPS_RTS;
	attr.timeout = 8;
	attr.max_rd_atomic = 1;
	ASSERT_EQ(0, ibv_modify_qp(qp, &attr,
				   IBV_QP_STATE | (raw ? 0 : IBV_QP_SQ_PSN) |
					   (reliable || dci ? IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
								      IBV_QP_RNR_RETRY |
								      IBV_QP_MAX_QP_RD_ATOMIC
							    : 0)));
}

#endif
