/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Messages of communication management (IBTA volume 1, chapter 12) as management datagrams: bytes
 * to structure and back. This part does not know connections.
 */
#ifndef SOFTHCA_RDMACM_MAD_H
#define SOFTHCA_RDMACM_MAD_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/softhca/engine/transport/gsi.h"

enum rcm_attr {
	RCM_REQ = 0x0010,
	RCM_MRA = 0x0011,
	RCM_REJ = 0x0012,
	RCM_REP = 0x0013,
	RCM_RTU = 0x0014,
	RCM_DREQ = 0x0015,
	RCM_DREP = 0x0016,
	RCM_SIDR_REQ = 0x0017,
	RCM_SIDR_REP = 0x0018,
};

/* Room for private data in each message. */
enum rcm_private {
	RCM_REQ_PRIVATE = 92,
	RCM_REJ_PRIVATE = 148,
	RCM_REP_PRIVATE = 196,
	RCM_SIDR_REQ_PRIVATE = 216,
	RCM_SIDR_REP_PRIVATE = 136,
	RCM_PRIVATE_MAX = 216,
};
#define RCM_INFO_SIZE 72u /* additional information of a REJ or a SIDR_REP */

/* Message that an MRA or a REJ refers to. */
enum rcm_about { RCM_ABOUT_REQ = 0, RCM_ABOUT_REP = 1, RCM_ABOUT_OTHER = 2 };

/* Reasons in the REJs that we send. */
enum rcm_reason {
	RCM_REJ_TIMEOUT = 4,
	RCM_REJ_INVALID_SERVICE_ID = 8,
	RCM_REJ_STALE_CONN = 10,
	RCM_REJ_INVALID_GID = 12,
	RCM_REJ_CONSUMER = 28,
	RCM_REJ_VENDOR_OPTION = 35,
};

enum rcm_sidr_status { RCM_SIDR_SUCCESS = 0, RCM_SIDR_UNSUPPORTED = 1, RCM_SIDR_REJECT = 2 };

/* Kind of queue pair in a REQ. */
enum rcm_service { RCM_SERVICE_RC = 0, RCM_SERVICE_UC = 1, RCM_SERVICE_EXTENDED = 3 };
#define RCM_EXTENDED_XRC 1u

/* Primary path of a REQ, seen from its sender. */
struct rcm_req_path {
	uint16_t local_lid, remote_lid;
	uint8_t local_gid[16], remote_gid[16];
	uint32_t flow_label;
	uint8_t rate, tclass, hop_limit, sl, ack_timeout;
	bool subnet_local;
};

/* One message. Absent fields are zero. */
struct rcm_msg {
	enum rcm_attr attr;
	uint64_t tid;
	uint32_t local_id, remote_id; /* SIDR: local_id is the request's number */
	uint64_t service_id, ca_guid;
	uint32_t qkey, qpn, eecn, psn;
	uint8_t responder_resources, initiator_depth;
	uint8_t remote_timeout, local_timeout; /* time-outs for CM responses, 4.096 us << n */
	uint8_t service, extended;	       /* enum rcm_service */
	bool flow_control, srq;
	uint8_t retry_count, rnr_retry_count, max_retries;
	uint16_t pkey;
	uint8_t mtu; /* enum ibv_mtu */
	struct rcm_req_path path;
	uint8_t about;		 /* MRA, REJ: enum rcm_about */
	uint8_t service_timeout; /* MRA */
	uint16_t reason;	 /* REJ */
	uint8_t status;		 /* SIDR_REP: enum rcm_sidr_status */
	uint8_t ack_delay;	 /* REP */
	uint32_t ece_vendor;	 /* enhanced connection establishment */
	uint32_t ece_options;
	uint8_t info_len;
	uint8_t info[RCM_INFO_SIZE];
	uint8_t private_len; /* encoding: number of bytes of private_data to send */
	uint8_t private_data[RCM_PRIVATE_MAX];
};

/* Bytes of private data that the message can hold. */
uint8_t rcm_private_size(enum rcm_attr attr);

void rcm_encode(uint8_t mad[SOFTHCA_MAD_SIZE], const struct rcm_msg *msg);
/* False: not a message of communication management, or not a modelled one. */
bool rcm_decode(struct rcm_msg *msg, const uint8_t mad[SOFTHCA_MAD_SIZE]);

#endif /* SOFTHCA_RDMACM_MAD_H */
