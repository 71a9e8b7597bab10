/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters of a port. The wire counts traffic. The events of queue pairs are counted here. Names
 * and meanings are Linux' (drivers/infiniband/core/sysfs.c, hw/mlx5/counters.c, and NVIDIA's
 * "Understanding mlx5 Linux counters").
 */
#ifndef SOFTHCA_ENGINE_COUNTERS_H
#define SOFTHCA_ENGINE_COUNTERS_H

#include <stdint.h>

struct softhca_dev;
struct softhca_qp;

/* Events of the port's queue pairs. */
enum softhca_event_counter {
	SOFTHCA_COUNT_RX_WRITE,
	SOFTHCA_COUNT_RX_READ,
	SOFTHCA_COUNT_RX_ATOMIC,
	SOFTHCA_COUNT_RX_DCT_CONNECT,
	SOFTHCA_COUNT_OUT_OF_BUFFER,
	SOFTHCA_COUNT_OUT_OF_SEQUENCE,
	SOFTHCA_COUNT_DUPLICATE,
	SOFTHCA_COUNT_RNR_NAK,
	SOFTHCA_COUNT_PACKET_SEQ_ERR,
	SOFTHCA_COUNT_IMPLIED_NAK,
	SOFTHCA_COUNT_ACK_TIMEOUT,
	SOFTHCA_COUNT_RESP_LENGTH,
	SOFTHCA_COUNT_RESP_CQE_ERROR,
	SOFTHCA_COUNT_REQ_CQE_ERROR,
	SOFTHCA_COUNT_REQ_REMOTE_INVALID,
	SOFTHCA_COUNT_REQ_REMOTE_ACCESS,
	SOFTHCA_COUNT_RESP_REMOTE_ACCESS,
	SOFTHCA_COUNT_RESP_FLUSH,
	SOFTHCA_COUNT_REQ_FLUSH,
	SOFTHCA_COUNT_ADAPTIVE_RETRANS,
	SOFTHCA_COUNT_MAX
};

/* softhca_count - adds one, at the port that the queue pair uses. */
void softhca_count(const struct softhca_qp *qp, enum softhca_event_counter what);
/* softhca_event_count - 0 for an invalid port. */
uint64_t softhca_event_count(const struct softhca_dev *dev, unsigned int port,
			     enum softhca_event_counter what);

/* Data is in units of four bytes with all headers, as in InfiniBand. */
struct softhca_traffic {
	uint64_t xmit_data, rcv_data;
	uint64_t unicast_xmit, unicast_rcv, multicast_xmit, multicast_rcv;
	uint64_t rcv_errors, xmit_discards, link_downed;
};

/* softhca_traffic_of - traffic since the last clear. Zeros for an invalid port. */
void softhca_traffic_of(const struct softhca_dev *dev, unsigned int port,
			struct softhca_traffic *out);
/* softhca_traffic_clear - counts the named traffic from zero. Other traffic goes on. */
void softhca_traffic_clear(struct softhca_dev *dev, unsigned int port,
			   const struct softhca_traffic *which);

#endif
