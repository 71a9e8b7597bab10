/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Packet capture in the classic libpcap format, Ethernet link type, nanosecond time stamps. Each
 * packet is captured once, by its sender, when it leaves (after the fault plan was applied). So
 * processes that name the same file share one complete capture. Records are appended by single
 * writes.
 */
#ifndef SOFTHCA_ENGINE_PCAP_H
#define SOFTHCA_ENGINE_PCAP_H

#include <stdbool.h>
#include <stdint.h>

struct softhca_pcap;

/* softhca_pcap_open - creates or continues the capture. NULL and errno on failure. */
struct softhca_pcap *softhca_pcap_open(const char *path);

/* softhca_pcap_packet - appends one datagram that starts with the BTH. Errors are ignored. */
void softhca_pcap_packet(struct softhca_pcap *pcap, const uint8_t *bth, uint32_t len,
			 uint32_t src_ip, uint32_t dst_ip);

/* softhca_pcap_frame - appends an Ethernet frame as it is. */
void softhca_pcap_frame(struct softhca_pcap *pcap, const uint8_t *frame, uint32_t len);

/* softhca_pcap_close - accepts NULL. */
void softhca_pcap_close(struct softhca_pcap *pcap);

#endif
