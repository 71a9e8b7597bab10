/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * General services: the management datagrams from QP 1 to QP 1, and from QP 0 to QP 0. The engine
 * carries them without knowledge of their contents. A registered agent (the communication manager)
 * gets all of them. Called with the lock held.
 */
#ifndef SOFTHCA_ENGINE_GSI_H
#define SOFTHCA_ENGINE_GSI_H

#include <stdbool.h>
#include <stdint.h>

struct softhca_dev;
struct softhca_pkt;
struct softhca_port;

#define SOFTHCA_MAD_SIZE 256u
#define SOFTHCA_GSI_QPN	 1u
#define SOFTHCA_GSI_QKEY 0x80010000u

/* Port that a datagram came to, and its sender. */
struct softhca_gsi_from {
	struct softhca_dev *dev;
	unsigned int port;
	uint32_t ip;
};

struct softhca_gsi_ops {
	void (*receive)(const struct softhca_gsi_from *from, const uint8_t mad[SOFTHCA_MAD_SIZE]);
	/* Timers: runs those due, and returns their number. *next_ns is lowered to the next one. */
	int (*run)(uint64_t now_ns, uint64_t *next_ns);
};

/* softhca_gsi_register - ops must live for ever. Each agent gets all datagrams. */
void softhca_gsi_register(const struct softhca_gsi_ops *ops);
void softhca_gsi_unregister(const struct softhca_gsi_ops *ops);
/* softhca_gsi_is_subnet - returns whether it goes to QP 0, like all of subnet management. */
bool softhca_gsi_is_subnet(const uint8_t *mad);
/* softhca_gsi_send - sends a datagram, which may be lost, to a host's general services. */
void softhca_gsi_send(struct softhca_dev *dev, unsigned int port, uint32_t dst_ip,
		      const uint8_t mad[SOFTHCA_MAD_SIZE]);
/* softhca_gsi_port_ip - the loopback address of a port, 0 if there is no such port. */
uint32_t softhca_gsi_port_ip(const struct softhca_dev *dev, unsigned int port);
/* softhca_gsi_fatal - returns whether the device is in fatal state. */
bool softhca_gsi_fatal(const struct softhca_dev *dev);

/* For the transport. */
void softhca_gsi_receive(struct softhca_port *port, const struct softhca_pkt *pkt);
int softhca_gsi_run(uint64_t now_ns, uint64_t *next_ns);

#endif
