/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Messages of the connection manager, encoded and decoded. Table numbers are those of the IBTA
 * specification, volume 1.
 */
#include "tools/softhca/rdmacm/mad.h"

#include <string.h>

#include "tools/softhca/engine/packet/be.h"

/* Common header of a management datagram. The message's own bytes follow it. */
#define MAD_VERSION	 1
#define MAD_CLASS_CM	 0x07
#define CM_CLASS_VERSION 2
#define MAD_METHOD_SEND	 0x03
#define MAD_HEADER	 24u

/* Start of private data, from the message's first byte. Other messages' data is not read. */
static const struct {
	enum rcm_attr attr;
	uint8_t offset, size;
} privates[] = {
	{RCM_REQ, 140, RCM_REQ_PRIVATE},	  {RCM_REJ, 84, RCM_REJ_PRIVATE},
	{RCM_REP, 36, RCM_REP_PRIVATE},		  {RCM_SIDR_REQ, 16, RCM_SIDR_REQ_PRIVATE},
	{RCM_SIDR_REP, 96, RCM_SIDR_REP_PRIVATE}, {0, 0, 0},
};

/* Row of the message, or the last row if it has no private data. */
static unsigned int private_row(enum rcm_attr attr)
{
	unsigned int i = 0;

	while (privates[i].size && privates[i].attr != attr)
		i++;
	return i;
}

uint8_t rcm_private_size(enum rcm_attr attr)
{
	return privates[private_row(attr)].size;
}

static unsigned int private_offset(enum rcm_attr attr)
{
	return privates[private_row(attr)].offset;
}

/* ---- REQ: table 106 ---- */

static void encode_req(uint8_t *p, const struct rcm_msg *m)
{
	const struct rcm_req_path *path = &m->path;

	put32(p, m->local_id);
	put24(p + 5, m->ece_vendor);
	put64(p + 8, m->service_id);
	put64(p + 16, m->ca_guid);
	put32(p + 28, m->qkey);
	put24(p + 32, m->qpn);
	p[35] = m->responder_resources;
	p[39] = m->initiator_depth;
	p[43] = (uint8_t)(m->remote_timeout << 3 | (m->service & 3) << 1 | m->flow_control);
	put24(p + 44, m->psn);
	p[47] = (uint8_t)(m->local_timeout << 3 | (m->retry_count & 7));
	put16(p + 48, m->pkey);
	p[50] = (uint8_t)(m->mtu << 4 | (m->rnr_retry_count & 7));
	p[51] = (uint8_t)(m->max_retries << 4 | m->srq << 3 | (m->extended & 7));
	put16(p + 52, path->local_lid);
	put16(p + 54, path->remote_lid);
	memcpy(p + 56, path->local_gid, 16);
	memcpy(p + 72, path->remote_gid, 16);
	put32(p + 88, path->flow_label << 12 | (path->rate & 0x3f));
	p[92] = path->tclass;
	p[93] = path->hop_limit;
	p[94] = (uint8_t)(path->sl << 4 | path->subnet_local << 3);
	p[95] = (uint8_t)(path->ack_timeout << 3);
}

static void decode_req(struct rcm_msg *m, const uint8_t *p)
{
	struct rcm_req_path *path = &m->path;

	m->local_id = get32(p);
	m->ece_vendor = get24(p + 5);
	m->service_id = get64(p + 8);
	m->ca_guid = get64(p + 16);
	m->qkey = get32(p + 28);
	m->qpn = get24(p + 32);
	m->responder_resources = p[35];
	m->initiator_depth = p[39];
	m->remote_timeout = p[43] >> 3;
	m->service = p[43] >> 1 & 3;
	m->flow_control = p[43] & 1;
	m->psn = get24(p + 44);
	m->local_timeout = p[47] >> 3;
	m->retry_count = p[47] & 7;
	m->pkey = get16(p + 48);
	m->mtu = p[50] >> 4;
	m->rnr_retry_count = p[50] & 7;
	m->max_retries = p[51] >> 4;
	m->srq = p[51] >> 3 & 1;
	m->extended = p[51] & 7;
	path->local_lid = get16(p + 52);
	path->remote_lid = get16(p + 54);
	memcpy(path->local_gid, p + 56, 16);
	memcpy(path->remote_gid, p + 72, 16);
	path->flow_label = get32(p + 88) >> 12;
	path->rate = p[91] & 0x3f;
	path->tclass = p[92];
	path->hop_limit = p[93];
	path->sl = p[94] >> 4;
	path->subnet_local = p[94] >> 3 & 1;
	path->ack_timeout = p[95] >> 3;
}

/* ---- REP: table 110 ---- */

static void encode_rep(uint8_t *p, const struct rcm_msg *m)
{
	put32(p, m->local_id);
	put32(p + 4, m->remote_id);
	put32(p + 8, m->qkey);
	put24(p + 12, m->qpn);
	p[15] = (uint8_t)(m->ece_vendor >> 16);
	put24(p + 16, m->eecn);
	p[19] = (uint8_t)(m->ece_vendor >> 8);
	put24(p + 20, m->psn);
	p[23] = (uint8_t)m->ece_vendor;
	p[24] = m->responder_resources;
	p[25] = m->initiator_depth;
	p[26] = (uint8_t)(m->ack_delay << 3 | m->flow_control);
	p[27] = (uint8_t)(m->rnr_retry_count << 5 | m->srq << 4);
	put64(p + 28, m->ca_guid);
}

static void decode_rep(struct rcm_msg *m, const uint8_t *p)
{
	m->local_id = get32(p);
	m->remote_id = get32(p + 4);
	m->qkey = get32(p + 8);
	m->qpn = get24(p + 12);
	m->eecn = get24(p + 16);
	m->psn = get24(p + 20);
	m->ece_vendor = (uint32_t)p[15] << 16 | (uint32_t)p[19] << 8 | p[23];
	m->responder_resources = p[24];
	m->initiator_depth = p[25];
	m->ack_delay = p[26] >> 3;
	m->flow_control = p[26] & 1;
	m->rnr_retry_count = p[27] >> 5;
	m->srq = p[27] >> 4 & 1;
	m->ca_guid = get64(p + 28);
}

/* ---- REJ: table 108; MRA: 107; DREQ: 112 ---- */

static void encode_rej(uint8_t *p, const struct rcm_msg *m)
{
	put32(p, m->local_id);
	put32(p + 4, m->remote_id);
	p[8] = (uint8_t)(m->about << 6);
	p[9] = (uint8_t)(m->info_len << 1);
	put16(p + 10, m->reason);
	memcpy(p + 12, m->info, m->info_len < RCM_INFO_SIZE ? m->info_len : RCM_INFO_SIZE);
}

static void decode_rej(struct rcm_msg *m, const uint8_t *p)
{
	m->local_id = get32(p);
	m->remote_id = get32(p + 4);
	m->about = p[8] >> 6;
	m->info_len = p[9] >> 1;
	if (m->info_len > RCM_INFO_SIZE)
		m->info_len = RCM_INFO_SIZE;
	m->reason = get16(p + 10);
	memcpy(m->info, p + 12, RCM_INFO_SIZE);
}

/* ---- service ID resolution: tables 119 and 120 ---- */

static void encode_sidr_rep(uint8_t *p, const struct rcm_msg *m)
{
	put32(p, m->local_id);
	p[4] = m->status;
	put24(p + 8, m->qpn);
	put64(p + 12, m->service_id);
	put32(p + 20, m->qkey);
}

static void decode_sidr_rep(struct rcm_msg *m, const uint8_t *p)
{
	m->local_id = get32(p);
	m->status = p[4];
	m->qpn = get24(p + 8);
	m->service_id = get64(p + 12);
	m->qkey = get32(p + 20);
}

static void encode_own(uint8_t *p, const struct rcm_msg *m)
{
	switch (m->attr) {
	case RCM_REQ:
		encode_req(p, m);
		return;
	case RCM_REP:
		encode_rep(p, m);
		return;
	case RCM_REJ:
		encode_rej(p, m);
		return;
	case RCM_SIDR_REQ:
		put32(p, m->local_id);
		put16(p + 4, m->pkey);
		put64(p + 8, m->service_id);
		return;
	case RCM_SIDR_REP:
		encode_sidr_rep(p, m);
		return;
	case RCM_MRA:
		p[8] = (uint8_t)(m->about << 6);
		p[9] = (uint8_t)(m->service_timeout << 3);
		break;
	case RCM_DREQ:
		put24(p + 8, m->qpn);
		break;
	default:
		break;
	}
	put32(p, m->local_id);
	put32(p + 4, m->remote_id);
}

void rcm_encode(uint8_t mad[SOFTHCA_MAD_SIZE], const struct rcm_msg *m)
{
	const uint8_t room = rcm_private_size(m->attr);

	memset(mad, 0, SOFTHCA_MAD_SIZE);
	mad[0] = MAD_VERSION;
	mad[1] = MAD_CLASS_CM;
	mad[2] = CM_CLASS_VERSION;
	mad[3] = MAD_METHOD_SEND;
	put64(mad + 8, m->tid);
	put16(mad + 16, m->attr);
	put32(mad + 20, m->ece_options);
	encode_own(mad + MAD_HEADER, m);
	memcpy(mad + MAD_HEADER + private_offset(m->attr), m->private_data,
	       m->private_len < room ? m->private_len : room);
}

static bool decode_own(struct rcm_msg *m, const uint8_t *p)
{
	switch (m->attr) {
	case RCM_REQ:
		decode_req(m, p);
		return true;
	case RCM_REP:
		decode_rep(m, p);
		return true;
	case RCM_REJ:
		decode_rej(m, p);
		return true;
	case RCM_SIDR_REQ:
		m->local_id = get32(p);
		m->pkey = get16(p + 4);
		m->service_id = get64(p + 8);
		return true;
	case RCM_SIDR_REP:
		decode_sidr_rep(m, p);
		return true;
	case RCM_MRA:
		m->about = p[8] >> 6;
		m->service_timeout = p[9] >> 3;
		break;
	case RCM_DREQ:
		m->qpn = get24(p + 8);
		break;
	case RCM_RTU:
	case RCM_DREP:
		break;
	default:
		return false; /* alternate paths are not modelled */
	}
	m->local_id = get32(p);
	m->remote_id = get32(p + 4);
	return true;
}

bool rcm_decode(struct rcm_msg *m, const uint8_t mad[SOFTHCA_MAD_SIZE])
{
	memset(m, 0, sizeof(*m));
	if (mad[0] != MAD_VERSION || mad[1] != MAD_CLASS_CM || mad[2] != CM_CLASS_VERSION ||
	    mad[3] != MAD_METHOD_SEND)
		return false;
	m->tid = get64(mad + 8);
	m->attr = (enum rcm_attr)get16(mad + 16);
	m->ece_options = get32(mad + 20);
	if (!decode_own(m, mad + MAD_HEADER))
		return false;
	m->private_len = rcm_private_size(m->attr);
	memcpy(m->private_data, mad + MAD_HEADER + private_offset(m->attr), m->private_len);
	return true;
}
