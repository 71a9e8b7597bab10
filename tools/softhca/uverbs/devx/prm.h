/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Layouts of device commands, as far as they are read or written here.
 *
 * A field is its bit offset from the start of its structure and its width. Bit 0 is the most
 * significant bit of the first byte. Nested structures add their own offset.
 */
#ifndef SOFTHCA_UVERBS_PRM_H
#define SOFTHCA_UVERBS_PRM_H

#include <stdint.h>

struct prm_field {
	uint16_t offset, width;
};

#define PRM(name, offset, width) static const struct prm_field name = {offset, width}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-const-variable"

/* Every command */
PRM(IN_OPCODE, 0x0, 16);
PRM(IN_OP_MOD, 0x30, 16);
PRM(IN_OBJ, 0x48, 24); /* number of the object concerned */
PRM(OUT_STATUS, 0x0, 8);
PRM(OUT_SYNDROME, 0x20, 32);
PRM(OUT_OBJ, 0x48, 24);

/*
 * Commands with user memory also have a bit that marks it. The driver sets it in every command that
 * it passes on, so it is not checked here.
 */

/* CREATE_MKEY */
#define MKC 0x80
PRM(MKEY_OCTWORDS, 0x300, 32);
PRM(MKEY_UMEM_ID, 0x320, 32);
PRM(MKEY_UMEM_OFFSET, 0x340, 64);
#define MKEY_KLMS 0x880
PRM(MKC_FREE, 0x1, 1);
PRM(MKC_UMR_EN, 0x10, 1);
PRM(MKC_A, 0x11, 1);
PRM(MKC_RW, 0x12, 1);
PRM(MKC_RR, 0x13, 1);
PRM(MKC_LW, 0x14, 1);
PRM(MKC_MODE_1_0, 0x16, 2);
PRM(MKC_MODE_4_2, 0x3, 3);
PRM(MKC_QPN, 0x20, 24);
PRM(MKC_KEY_7_0, 0x38, 8);
PRM(MKC_LENGTH64, 0x60, 1);
PRM(MKC_BSF_EN, 0x61, 1);
PRM(MKC_PD, 0x68, 24);
PRM(MKC_START, 0x80, 64);
PRM(MKC_LEN, 0xc0, 64);
PRM(MKC_BSF_OCTWORDS, 0x100, 32);
PRM(MKC_OCTWORDS, 0x1a0, 32);
PRM(MKC_LOG_PAGE, 0x1db, 5);
PRM(MKC_CRYPTO_EN, 0x1e3, 2);

/* CREATE_CQ */
#define CQC 0x80
PRM(CQ_UMEM_OFFSET, 0x280, 64);
PRM(CQ_UMEM_ID, 0x2c0, 32);
PRM(CQC_CQE_SZ, 0x8, 3);
PRM(CQC_CC, 0xb, 1);
PRM(CQC_OI, 0xe, 1);
PRM(CQC_COMP_EN, 0x11, 1);
PRM(CQC_MINI_FORMAT, 0x12, 2);
PRM(CQC_COMP_LAYOUT, 0x1e, 2);
PRM(CQC_MINI_FORMAT_EXT, 0x5c, 2);
PRM(CQC_LOG_SIZE, 0x63, 5);
PRM(CQC_UAR, 0x68, 24);
PRM(CQC_DBR_UMEM_ID, 0x20, 32);
PRM(CQC_DBR_ADDR, 0x1c0, 64);

/* CREATE_QP and the transitions, with the context at the same place */
#define QPC 0xc0
PRM(QP_OPT_MASK, 0x80, 32);
PRM(QP_WQ_UMEM_OFFSET, 0x800, 64);
PRM(QP_WQ_UMEM_ID, 0x840, 32);
PRM(QPC_STATE, 0x0, 4);
PRM(QPC_LAG_PORT, 0x4, 4);
PRM(QPC_ST, 0x8, 8);
PRM(QPC_DRAIN_SIGERR, 0x25, 1);
PRM(QPC_PD, 0x28, 24);
PRM(QPC_MTU, 0x40, 3);
PRM(QPC_LOG_RQ_SIZE, 0x49, 4);
PRM(QPC_LOG_RQ_STRIDE, 0x4d, 3);
PRM(QPC_NO_SQ, 0x50, 1);
PRM(QPC_LOG_SQ_SIZE, 0x51, 4);
PRM(QPC_COUNTER_SET, 0x60, 8);
PRM(QPC_UAR, 0x68, 24);
PRM(QPC_SEND_DBR_MODE, 0x80, 2);
PRM(QPC_USER_INDEX, 0x88, 24);
PRM(QPC_REMOTE_QPN, 0xa8, 24);
#define QPC_ADS 0xc0
PRM(QPC_LOG_ACK_REQ_FREQ, 0x380, 4);
PRM(QPC_LOG_SRA_MAX, 0x388, 3);
PRM(QPC_RETRY_COUNT, 0x38d, 3);
PRM(QPC_RNR_RETRY, 0x390, 3);
PRM(QPC_NEXT_SEND_PSN, 0x3c8, 24);
PRM(QPC_CQN_SND, 0x3e8, 24);
PRM(QPC_LOG_RRA_MAX, 0x488, 3);
PRM(QPC_RRE, 0x490, 1);
PRM(QPC_RWE, 0x491, 1);
PRM(QPC_RAE, 0x492, 1);
PRM(QPC_CD_SLAVE_RECEIVE, 0x49d, 1);
PRM(QPC_CD_SLAVE_SEND, 0x49e, 1);
PRM(QPC_CD_MASTER, 0x49f, 1);
PRM(QPC_MIN_RNR_NAK, 0x4a3, 5);
PRM(QPC_NEXT_RCV_PSN, 0x4a8, 24);
PRM(QPC_CQN_RCV, 0x4e8, 24);
PRM(QPC_DBR_ADDR, 0x500, 64);
PRM(QPC_QKEY, 0x540, 32);
PRM(QPC_RQ_TYPE, 0x565, 3);
PRM(QPC_SRQN, 0x568, 24);
PRM(QPC_HW_SQ_COUNTER, 0x5a0, 16);
PRM(QPC_CS_REQ, 0x630, 8);
PRM(QPC_CS_RES, 0x638, 8);
PRM(QPC_DC_KEY, 0x640, 64);
PRM(QPC_DBR_UMEM_ID, 0x720, 32);
#define QPC_BITS 0x740

/* Address vector inside a QP context */
PRM(ADS_FL, 0x0, 1); /* force loopback */
PRM(ADS_PKEY_INDEX, 0x10, 16);
PRM(ADS_GRH, 0x28, 1);
PRM(ADS_MLID, 0x29, 7);
PRM(ADS_RLID, 0x30, 16);
PRM(ADS_ACK_TIMEOUT, 0x40, 5);
PRM(ADS_SRC_ADDR_INDEX, 0x48, 8);
PRM(ADS_HOP_LIMIT, 0x58, 8);
PRM(ADS_TCLASS, 0x64, 8);
PRM(ADS_FLOW_LABEL, 0x6c, 20);
#define ADS_RGID 0x80
PRM(ADS_UDP_SPORT, 0x110, 16);
PRM(ADS_SL, 0x124, 4);
PRM(ADS_PORT, 0x128, 8);

/* CREATE_RMP and MODIFY_RMP (with the context at the same place), QUERY_RMP */
#define RMPC	  0x100
#define RMPC_BITS 0x780
PRM(RMP_LWM_MASK, 0xbf, 1);
PRM(RMPC_STATE, 0x8, 4);
PRM(RMPC_BASIC_CYCLIC, 0x20, 1);
#define RMPC_WQ 0x180

/* A receive ring inside another context */
PRM(WQ_TYPE, 0x0, 4);
PRM(WQ_SIGNATURE, 0x4, 1);
PRM(WQ_LWM, 0x30, 16);
PRM(WQ_PD, 0x48, 24);
PRM(WQ_DBR_ADDR, 0x80, 64);
PRM(WQ_HW_COUNTER, 0xc0, 32);
PRM(WQ_LOG_STRIDE, 0x10c, 4);
PRM(WQ_LOG_SIZE, 0x11b, 5);
PRM(WQ_DBR_UMEM_ID, 0x140, 32);
PRM(WQ_UMEM_ID, 0x160, 32);
PRM(WQ_UMEM_OFFSET, 0x180, 64);

/* CREATE_XRQ: a shared receive queue with a tag list */
#define XRQC	  0x80
#define XRQC_BITS 0xa00
PRM(XRQC_TOPOLOGY, 0x14, 4);
PRM(XRQC_USER_INDEX, 0x28, 24);
PRM(XRQC_CQN, 0x48, 24);
PRM(XRQC_LOG_TAGS, 0x100, 4);
#define XRQC_WQ 0x400

/* CREATE_DCT, QUERY_DCT */
#define DCTC	  0x80
#define DCTC_BITS 0x200
PRM(DCTC_STATE, 0x4, 4);
PRM(DCTC_USER_INDEX, 0x28, 24);
PRM(DCTC_CQN, 0x48, 24);
PRM(DCTC_RRE, 0x6c, 1);
PRM(DCTC_RWE, 0x6d, 1);
PRM(DCTC_RAE, 0x6e, 1);
PRM(DCTC_CS_RES, 0x88, 8);
PRM(DCTC_MIN_RNR_NAK, 0x93, 5);
PRM(DCTC_SRQN, 0xa8, 24);
PRM(DCTC_PD, 0xc8, 24);
PRM(DCTC_TCLASS, 0xe0, 8);
PRM(DCTC_FLOW_LABEL, 0xec, 20);
PRM(DCTC_DC_KEY, 0x100, 64);
PRM(DCTC_MTU, 0x145, 3);
PRM(DCTC_PORT, 0x148, 8);
PRM(DCTC_PKEY_INDEX, 0x150, 16);
PRM(DCTC_SGID_INDEX, 0x168, 8);
PRM(DCTC_HOP_LIMIT, 0x178, 8);

/* QUERY_LAG */
#define LAGC 0x40
PRM(LAGC_STATE, 0x1d, 3);
PRM(LAGC_REMAP_2, 0x34, 4);
PRM(LAGC_REMAP_1, 0x3c, 4);

/* MODIFY_TIS, QUERY_TIS: the send side of a raw packet queue pair */
PRM(TIS_MASK_LAG, 0xa0 + 0x1d, 1);
#define TISC	  0x100
#define TISC_OUT  0x80
#define TISC_BITS 0x500
PRM(TISC_LAG_PORT, 0x4, 4);

/* MODIFY_SQ */
PRM(SQ_MODIFY_MASK, 0x80, 64);
#define SQC	 0x100
#define SQC_BITS 0x780
PRM(SQC_QUEUE_GROUP, 0x110, 16);

/* General objects: the header, and the fields after it */
PRM(GEN_TYPE, 0x30, 16);
PRM(GEN_ID, 0x40, 32);
PRM(GEN_LOG_RANGE, 0x63, 5);
#define GEN 0x80
PRM(SCHED_MODIFY, 0x0, 64);
PRM(SCHED_HIERARCHY, 0x40, 8);
#define SCHEDC (GEN + 0x100)
PRM(SCHEDC_TYPE, 0x0, 8);
PRM(SCHEDC_TSAR_TYPE, 0x28, 8);
PRM(SCHEDC_PARENT, 0x40, 32);
PRM(SCHEDC_MAX_BW, 0xc0, 32);
PRM(AV_MAP_QPN, 0x60, 32);

/* An event in the form that the device writes into its queue */
#define EQE_BYTES 64
PRM(EQE_TYPE, 0x8, 8);
PRM(EQE_QUEUE_TYPE, 0x1a0, 8); /* of a QP or SRQ event */
PRM(EQE_QUEUE, 0x1c8, 24);     /* number of the QP, SRQ or DCT, or of the CQ that completed */
PRM(EQE_CQ_ERR, 0x108, 24);
PRM(EQE_CQ_SYNDROME, 0x158, 8);
PRM(EQE_PORT, 0x140, 4);
PRM(EQE_SUB_TYPE, 0x18, 8);

/* XRC SRQ context, and its place in the answer to QUERY_XRC_SRQ */
#define XRC_SRQC      0x80
#define XRC_SRQC_BITS 0x200
PRM(XRC_SRQC_LOG_SIZE, 0x4, 4);
PRM(XRC_SRQC_LOG_STRIDE, 0x25, 3);
PRM(XRC_SRQC_CQN, 0x48, 24);
PRM(XRC_SRQC_USER_INDEX, 0x88, 24);

/* CREATE_PSV */
PRM(PSV_COUNT, 0x40, 4);
PRM(PSV_PD, 0x48, 24);
PRM(PSV_OUT_NUM, 0x88, 24);

/* Data encryption key */
#define DEK_BITS   0x800
#define DEK_OPAQUE 0x180
#define DEK_KEY	   0x200
PRM(DEK_KEY_SIZE, 0x54, 4);
PRM(DEK_HAS_KEYTAG, 0x58, 1);
PRM(DEK_PURPOSE, 0x5c, 4);
PRM(DEK_PD, 0x68, 24);

/* Crypto login */
#define LOGIN_BITS	 0x800
#define LOGIN_CREDENTIAL 0x200
PRM(LOGIN_CREDENTIAL_NUM, 0x88, 24);
PRM(LOGIN_KEK_NUM, 0xa8, 24);
#pragma GCC diagnostic pop

enum prm_opcode {
	PRM_QUERY_HCA_CAP = 0x100,
	PRM_CREATE_MKEY = 0x200,
	PRM_CREATE_CQ = 0x400,
	PRM_CREATE_QP = 0x500,
	PRM_RST2INIT_QP = 0x502,
	PRM_INIT2RTR_QP = 0x503,
	PRM_RTR2RTS_QP = 0x504,
	PRM_RTS2RTS_QP = 0x505,
	PRM_SQERR2RTS_QP = 0x506,
	PRM_2ERR_QP = 0x507,
	PRM_2RST_QP = 0x50a,
	PRM_QUERY_QP = 0x50b,
	PRM_INIT2INIT_QP = 0x50e,
	PRM_CREATE_PSV = 0x600,
	PRM_QUERY_XRC_SRQ = 0x707,
	PRM_CREATE_DCT = 0x710,
	PRM_QUERY_DCT = 0x713,
	PRM_ARM_DCT = 0x714,
	PRM_CREATE_XRQ = 0x717,
	PRM_QUERY_HCA_VPORT_CONTEXT = 0x762,
	PRM_ALLOC_PD = 0x800,
	PRM_QUERY_LAG = 0x842,
	PRM_MODIFY_SQ = 0x905,
	PRM_CREATE_RMP = 0x90c,
	PRM_MODIFY_RMP = 0x90d,
	PRM_QUERY_RMP = 0x90f,
	PRM_MODIFY_TIS = 0x913,
	PRM_QUERY_SQ = 0x907,
	PRM_QUERY_TIS = 0x915,
	PRM_CREATE_GENERAL = 0xa00,
	PRM_MODIFY_GENERAL = 0xa01,
	PRM_QUERY_GENERAL = 0xa02,
};

/* Types of general objects */
enum prm_obj_type {
	PRM_OBJ_DEK = 0x0c,
	PRM_OBJ_LOGIN = 0x1f,
	PRM_OBJ_SCHED = 0x26,
	PRM_OBJ_RESERVED_QPN = 0x2c,
	PRM_OBJ_AV_MAP = 0x3a,
};

enum { PRM_DEK_SIZE_256 = 1, PRM_DEK_AES_XTS = 3 };

/* Kinds of receive rings */
enum prm_wq_type {
	PRM_WQ_LIST = 0,
	PRM_WQ_CYCLIC = 1,
};

enum { PRM_RMP_READY = 1 };

enum { PRM_XRQ_TAG_MATCHING = 1 }; /* topology */

/* Events, by the number that a program subscribes with */
enum prm_event {
	PRM_EVENT_COMP = 0x00,
	PRM_EVENT_PATH_MIG = 0x01,
	PRM_EVENT_COMM_EST = 0x02,
	PRM_EVENT_SQ_DRAINED = 0x03,
	PRM_EVENT_CQ_ERROR = 0x04,
	PRM_EVENT_WQ_CATAS_ERROR = 0x05,
	PRM_EVENT_PATH_MIG_FAILED = 0x07,
	PRM_EVENT_PORT_CHANGE = 0x09,
	PRM_EVENT_WQ_INVAL_REQ_ERROR = 0x10,
	PRM_EVENT_WQ_ACCESS_ERROR = 0x11,
	PRM_EVENT_SRQ_CATAS_ERROR = 0x12,
	PRM_EVENT_SRQ_LAST_WQE = 0x13,
	PRM_EVENT_SRQ_RQ_LIMIT = 0x14,
	PRM_EVENT_XRQ_ERROR = 0x18,
	PRM_EVENT_DCT_DRAINED = 0x1c,
	PRM_EVENT_DCT_KEY_VIOLATION = 0x1d,
};

/* Command status, and the kernel's errno for it. */
enum prm_status {
	PRM_OK = 0,
	PRM_INTERNAL_ERR = 0x1,
	PRM_BAD_OP = 0x2,
	PRM_BAD_PARAM = 0x3,
	PRM_BAD_RES = 0x5,
	PRM_RES_BUSY = 0x6,
	PRM_EXCEED_LIM = 0x8,
	PRM_BAD_RES_STATE = 0x9,
	PRM_BAD_INDEX = 0xa,
	PRM_NO_RES = 0xf,
	PRM_BAD_INP_LEN = 0x50,
	PRM_BAD_OUTP_LEN = 0x51,
};

static inline uint64_t prm_get(const uint8_t *buf, unsigned int base, struct prm_field f)
{
	uint64_t value = 0;

	for (unsigned int i = base + f.offset; i < base + f.offset + f.width; i++)
		value = value << 1 | (buf[i / 8] >> (7 - i % 8) & 1);
	return value;
}

static inline void prm_set(uint8_t *buf, unsigned int base, struct prm_field f, uint64_t value)
{
	for (unsigned int n = 0; n < f.width; n++) {
		unsigned int i = base + f.offset + f.width - 1 - n;
		uint8_t bit = (uint8_t)(1u << (7 - i % 8));

		if (value >> n & 1)
			buf[i / 8] |= bit;
		else
			buf[i / 8] &= (uint8_t)~bit;
	}
}

#endif /* SOFTHCA_UVERBS_PRM_H */
