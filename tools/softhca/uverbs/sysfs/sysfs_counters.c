/* SPDX-License-Identifier: BSD-2-Clause */
/* Port counters by their names in sysfs. */
#include "tools/softhca/uverbs/sysfs/sysfs_counters.h"

#include <string.h>

#include "tools/softhca/engine/counters.h"

/* Source of the number: a member of the traffic, the sum of two of its members, or an event. */
struct counter {
	const char *name;
	enum { ALWAYS_0, LIFESPAN, TRAFFIC, EVENT } kind;
	size_t where, also; /* TRAFFIC: offsets. `also` is 0 for a single one */
	enum softhca_event_counter event;
};

#define T(member) offsetof(struct softhca_traffic, member)
#define NONE(n)	      .name = "counters/" n, .kind = ALWAYS_0
#define OF(n, member) .name = "counters/" n, .kind = TRAFFIC, .where = T(member)
#define SUM(n, a, b)  OF(n, a), .also = T(b)
#define HW(n, e)      .name = "hw_counters/" n, .kind = EVENT, .event = SOFTHCA_COUNT_##e

/* The last ones are only for Ethernet ports. */
static const struct counter counters[] = {
	{NONE("symbol_error")},
	{NONE("link_error_recovery")},
	{OF("link_downed", link_downed)},
	{OF("port_rcv_errors", rcv_errors)},
	{NONE("port_rcv_remote_physical_errors")},
	{NONE("port_rcv_switch_relay_errors")},
	{OF("port_xmit_discards", xmit_discards)},
	{NONE("port_xmit_constraint_errors")},
	{NONE("port_rcv_constraint_errors")},
	{NONE("local_link_integrity_errors")},
	{NONE("excessive_buffer_overrun_errors")},
	{NONE("VL15_dropped")},
	{OF("port_xmit_data", xmit_data)},
	{OF("port_rcv_data", rcv_data)},
	{SUM("port_xmit_packets", unicast_xmit, multicast_xmit)},
	{SUM("port_rcv_packets", unicast_rcv, multicast_rcv)},
	{NONE("port_xmit_wait")},
	{OF("unicast_xmit_packets", unicast_xmit)},
	{OF("unicast_rcv_packets", unicast_rcv)},
	{OF("multicast_xmit_packets", multicast_xmit)},
	{OF("multicast_rcv_packets", multicast_rcv)},
	{.name = "hw_counters/lifespan", .kind = LIFESPAN},
	{HW("rx_write_requests", RX_WRITE)},
	{HW("rx_read_requests", RX_READ)},
	{HW("rx_atomic_requests", RX_ATOMIC)},
	{HW("rx_dct_connect", RX_DCT_CONNECT)},
	{HW("out_of_buffer", OUT_OF_BUFFER)},
	{HW("out_of_sequence", OUT_OF_SEQUENCE)},
	{HW("duplicate_request", DUPLICATE)},
	{HW("rnr_nak_retry_err", RNR_NAK)},
	{HW("packet_seq_err", PACKET_SEQ_ERR)},
	{HW("implied_nak_seq_err", IMPLIED_NAK)},
	{HW("local_ack_timeout_err", ACK_TIMEOUT)},
	{HW("resp_local_length_error", RESP_LENGTH)},
	{HW("resp_cqe_error", RESP_CQE_ERROR)},
	{HW("req_cqe_error", REQ_CQE_ERROR)},
	{HW("req_remote_invalid_request", REQ_REMOTE_INVALID)},
	{HW("req_remote_access_errors", REQ_REMOTE_ACCESS)},
	{HW("resp_remote_access_errors", RESP_REMOTE_ACCESS)},
	{HW("resp_cqe_flush_error", RESP_FLUSH)},
	{HW("req_cqe_flush_error", REQ_FLUSH)},
	{HW("roce_adp_retrans", ADAPTIVE_RETRANS)},
};
#define COUNT	      (sizeof(counters) / sizeof(counters[0]))
#define ETHERNET_ONLY 1u

const char *uv_counter_name(bool ethernet, unsigned int index)
{
	return index < COUNT - (ethernet ? 0 : ETHERNET_ONLY) ? counters[index].name : NULL;
}

static uint64_t member(const struct softhca_traffic *t, size_t where)
{
	uint64_t value;

	memcpy(&value, (const char *)t + where, sizeof(value));
	return value;
}

bool uv_counter_value(struct softhca_dev *dev, unsigned int port, const char *name, uint64_t *value)
{
	const struct counter *c = counters;
	struct softhca_traffic traffic;

	while (c < counters + COUNT && strcmp(c->name, name))
		c++;
	if (c == counters + COUNT)
		return false;
	*value = c->kind == LIFESPAN ? 10 : 0; /* ms for which the kernel keeps a value */
	if (c->kind == EVENT)
		*value = softhca_event_count(dev, port, c->event);
	if (c->kind != TRAFFIC)
		return true;
	softhca_traffic_of(dev, port, &traffic);
	*value = member(&traffic, c->where) + (c->also ? member(&traffic, c->also) : 0);
	return true;
}
