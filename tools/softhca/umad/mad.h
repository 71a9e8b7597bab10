/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Management datagrams, and a port's agents that answer them (IBTA volume 1, chapters 13 to 16).
 */
#ifndef SOFTHCA_UMAD_MAD_H
#define SOFTHCA_UMAD_MAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/softhca/engine/engine.h"
#include "tools/softhca/engine/packet/be.h"
#include "tools/softhca/engine/transport/gsi.h"

enum mad_class {
	MAD_SUBN_LID = 0x01,
	MAD_SA = 0x03,
	MAD_PERF = 0x04,
	MAD_SUBN_DIRECTED = 0x81,
};

enum mad_method {
	MAD_GET = 0x01,
	MAD_SET = 0x02,
	MAD_GET_TABLE = 0x12,
	MAD_DELETE = 0x15,
	MAD_RESPONSE = 0x80, /* a bit */
};

/* Faults of a request. */
enum mad_status {
	MAD_OK = 0,
	MAD_BAD_VERSION = 0x04,
	MAD_BAD_METHOD = 0x08,
	MAD_BAD_ATTRIBUTE = 0x0c, /* or not with this method */
	MAD_BAD_VALUE = 0x1c,
	MAD_DIRECTION = 0x8000, /* directed route: on its way back, not an error */
	/* faults that only the subnet administrator returns */
	MAD_SA_INVALID = 0x200,
	MAD_SA_NO_RECORDS = 0x300,
	MAD_SA_TOO_FEW_COMPONENTS = 0x600,
};

/* The header common to all */
#define MAD_METHOD    3
#define MAD_STATUS    4
#define MAD_HOP_COUNT 7 /* directed route */
#define MAD_TID	      8
#define MAD_ATTRIBUTE 16
#define MAD_MODIFIER  20
#define MAD_HEADER    24u
#define MAD_OUI	      37  /* vendor classes of the second range */
#define MAD_DATA      64u /* of subnet management and performance management */

/* A port and its request. The answer is made from the request. */
struct mad_port {
	struct softhca_dev *dev;
	unsigned int num;
	struct softhca_port_attr attr;
};

static inline bool mad_is_response(const uint8_t *mad)
{
	return mad[MAD_METHOD] & MAD_RESPONSE;
}

/* Each writes its data into `data`, which is all zero, and returns the status. */
uint16_t mad_subnet(const struct mad_port *port, const uint8_t *request, uint8_t *data);
uint16_t mad_perf(const struct mad_port *port, const uint8_t *request, uint8_t *data);

/* PortInfo and NodeInfo, also for the subnet administrator. */
#define MAD_NODE_INFO 40u
void mad_node_info(const struct mad_port *port, uint8_t *p);
void mad_port_info(const struct mad_port *port, unsigned int num, uint8_t *p);
void mad_node_description(const struct mad_port *port, uint8_t p[64]);

/* mad_answer - answer of the port's own agents to a request. False: there is none. */
bool mad_answer(struct softhca_dev *dev, unsigned int port, const uint8_t *request,
		uint8_t answer[SOFTHCA_MAD_SIZE]);

/* mad_sa - the subnet administrator's answer and its length. Tables may exceed a datagram. */
#define MAD_SA_MAX 4096u
size_t mad_sa(struct softhca_dev *dev, unsigned int port, const uint8_t *request,
	      uint8_t answer[MAD_SA_MAX]);

#endif /* SOFTHCA_UMAD_MAD_H */
