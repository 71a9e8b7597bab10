/* SPDX-License-Identifier: BSD-2-Clause */
/* A RoCE packet in a dump, which a capture of traffic holds in place of a completion. */
#ifndef SEGUE_TOOL_LOG_PACKET_H
#define SEGUE_TOOL_LOG_PACKET_H

#include <stddef.h>
#include <stdint.h>

/* packet_in() names the packet in some bytes, as "RoCEv2 packet", with the opcode of its base
 * transport header. NULL if there is none. */
const char *packet_in(const uint8_t *bytes, size_t len, uint8_t *opcode);

/* packet_capture() is the name of the format of a capture file that begins so, or NULL. */
const char *packet_capture(const uint8_t *bytes, size_t len);

#endif
