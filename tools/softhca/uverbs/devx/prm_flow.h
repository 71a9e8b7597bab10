/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Layouts of the commands for raw packets: queues, distribution, steering. From rdma-core's
 * mlx5_ifc.h and tests/mlx5_prm_structs.py (flow tables, entries, counters, TIR). Fields without
 * names there are from the kernel's <linux/mlx5/mlx5_ifc.h> (RQ, SQ, RQT, groups, changes).
 */
#ifndef SOFTHCA_UVERBS_PRM_FLOW_H
#define SOFTHCA_UVERBS_PRM_FLOW_H

#include "tools/softhca/uverbs/devx/prm.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-const-variable"

/* Objects with numbers of 32 bits */
PRM(OUT_OBJ32, 0x40, 32);

/* ALLOC_FLOW_COUNTER, QUERY_FLOW_COUNTER */
PRM(COUNTER_BULK, 0x78, 8); /* number of counters divided by 128. 0: one counter */
PRM(COUNTER_Q_CLEAR, 0xc0, 1);
PRM(COUNTER_Q_DUMP, 0xc1, 1);
PRM(COUNTER_Q_NUM, 0xc2, 30);
PRM(COUNTER_Q_ID, 0xe0, 32);
PRM(COUNTER_PACKETS, 0x0, 64);
PRM(COUNTER_BYTES, 0x40, 64);
#define COUNTER_STAT	  0x80 /* place of the values in the answer */
#define COUNTER_STAT_BITS 0x80

/* ALLOC_MODIFY_HEADER_CONTEXT */
PRM(MODIFY_TABLE_TYPE, 0x60, 8);
PRM(MODIFY_COUNT, 0x78, 8);
#define MODIFY_LIST  0x80

/* ALLOC_PACKET_REFORMAT_CONTEXT */
#define REFORMAT_CTX 0xe0
PRM(REFORMAT_TYPE, 0x0, 8);
PRM(REFORMAT_SIZE, 0x16, 10);
#define REFORMAT_DATA (REFORMAT_CTX + 0x30)

/* Flow tables, and fields of all commands for them */
PRM(FT_OTHER_VPORT, 0x40, 1);
PRM(FT_TYPE, 0x80, 8);
PRM(FT_ID, 0xa8, 24);
#define FTC 0xc0
PRM(FTC_SW_OWNER, 0x2, 1);
PRM(FTC_MISS_ACTION, 0x4, 4);
PRM(FTC_LEVEL, 0x8, 8);
PRM(FTC_LOG_SIZE, 0x18, 8);
PRM(FTC_MISS_ID, 0x28, 24);
#define FTC_BITS 0x140

/* Flow groups */
PRM(FG_START, 0xe0, 32);
PRM(FG_END, 0x120, 32);
PRM(FG_CRITERIA, 0x1f8, 8);
#define FG_MASK	   0x200
#define MATCH_BITS 0x1000

/* Flow table entries */
PRM(FTE_INDEX, 0x100, 32);
#define FTE 0x200
PRM(FTE_GROUP, 0x20, 32);
PRM(FTE_TAG, 0x48, 24);
PRM(FTE_ACTION, 0x70, 16);
PRM(FTE_EXTENDED, 0x80, 1);
PRM(FTE_DESTS, 0x88, 24);
PRM(FTE_COUNTERS, 0xa8, 24);
PRM(FTE_REFORMAT, 0xc0, 32);
PRM(FTE_MODIFY, 0xe0, 32);
#define FTE_VALUE     (FTE + 0x200)
#define FTE_LIST      (FTE + 0x1800)
#define FTE_LIST_BITS 0x40
PRM(DEST_TYPE, 0x0, 8);
PRM(DEST_ID, 0x8, 24);
PRM(DEST_COUNTER, 0x0, 32);

/* TIR */
#define TIRC 0x100
PRM(TIRC_DISP_TYPE, 0x20, 4);
PRM(TIRC_RQN, 0xe8, 24);
PRM(TIRC_RQT, 0x108, 24);
PRM(TIRC_HASH_FN, 0x120, 4);
PRM(TIRC_SELF_LB, 0x126, 2);
PRM(TIRC_TD, 0x128, 24);
#define TIRC_KEY 0x140
PRM(TIRC_L3, 0x280, 1);
PRM(TIRC_L4, 0x281, 1);
PRM(TIRC_FIELDS, 0x282, 30);
#define TIRC_BITS 0x2c0

/* RQT */
#define RQTC	  0x100
PRM(RQTC_MAX, 0xb0, 16);
PRM(RQTC_ACTUAL, 0xd0, 16);
#define RQTC_LIST 0x780
PRM(RQTC_RQN, 0x8, 24); /* in each of its 32 bits */

/* RQ and SQ: the first fields of their contexts are the same */
#define WQC	 0x100
#define WQC_RING 0x180
PRM(WQC_SCATTER_FCS, 0x2, 1); /* RQ */
PRM(WQC_VSD, 0x3, 1);	      /* RQ: VLAN tags stay */
PRM(WQC_MEM_TYPE, 0x4, 4);    /* RQ */
PRM(WQC_STATE, 0x8, 4);
PRM(WQC_USER_INDEX, 0x28, 24);
PRM(WQC_CQN, 0x48, 24);
PRM(SQC_TIS, 0x168, 24);
#define WQC_BITS (0x180 + 0x600)
PRM(WQC_NOW, 0x40, 4); /* MODIFY: its present state */
PRM(WQ_UAR, 0x68, 24);
PRM(WQ_LOG_STRIDES, 0x134, 4);
PRM(WQ_SHIFT, 0x138, 1);
PRM(WQ_LOG_STRIDE_BYTES, 0x13d, 3);

/* TIS */
#define TISC	  0x100
#define TISC_BITS 0x500
PRM(TISC_TD, 0x128, 24);
#pragma GCC diagnostic pop

enum prm_flow_opcode {
	PRM_ALLOC_TRANSPORT_DOMAIN = 0x816,
	PRM_CREATE_TIR = 0x900,
	PRM_CREATE_SQ = 0x904,
	PRM_CREATE_RQ = 0x908,
	PRM_MODIFY_RQ = 0x909,
	PRM_CREATE_TIS = 0x912,
	PRM_CREATE_RQT = 0x916,
	PRM_CREATE_FLOW_TABLE = 0x930,
	PRM_CREATE_FLOW_GROUP = 0x933,
	PRM_SET_FLOW_TABLE_ENTRY = 0x936,
	PRM_ALLOC_FLOW_COUNTER = 0x939,
	PRM_QUERY_FLOW_COUNTER = 0x93b,
	PRM_ALLOC_PACKET_REFORMAT = 0x93d,
	PRM_ALLOC_MODIFY_HEADER = 0x940,
};

enum { PRM_TABLE_NIC_RX = 0, PRM_TABLE_NIC_TX = 1 };
enum { PRM_DEST_TABLE = 1, PRM_DEST_TIR = 2 };
enum prm_fte_action {
	PRM_FTE_ALLOW = 0x1,
	PRM_FTE_DROP = 0x2,
	PRM_FTE_FORWARD = 0x4,
	PRM_FTE_COUNT = 0x8,
	PRM_FTE_REFORMAT = 0x10,
	PRM_FTE_DECAP = 0x20,
	PRM_FTE_MODIFY = 0x40,
	PRM_FTE_ALL = 0x7f,
};
enum { PRM_WQ_RST = 0, PRM_WQ_RDY = 1, PRM_WQ_ERR = 3 };

#endif /* SOFTHCA_UVERBS_PRM_FLOW_H */
