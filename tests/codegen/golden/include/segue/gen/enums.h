/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
#ifndef SEGUE_GEN_ENUMS_H
#define SEGUE_GEN_ENUMS_H

#include <stdint.h>

#include "segue/detail/declaration.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * When a completion is written.
 * Source: own:made up for tests
 */
enum segue_completion_mode {
	SEGUE_COMPLETION_MODE_ON_ERROR = 0, /* On error only. */
	SEGUE_COMPLETION_MODE_ALWAYS = 2, /* Always. */
};

/**
 * segue_completion_mode_name() returns the member's name as in the spec, or NULL when the value is
 * no member.
 */
const char *segue_completion_mode_name(uint32_t value);

/**
 * What a key allows.
 * Source: own:made up for tests
 */
enum segue_holder {
	SEGUE_HOLDER_READ = 0x01, /* May read. */
	SEGUE_HOLDER_WRITE = 0x02, /* May write. */
	SEGUE_HOLDER_ALL = 0x03, /* May do both. */
};

/**
 * segue_holder_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_holder_name(uint32_t value);

/**
 * Operations of the test set.
 * Source: own:made up for tests
 */
enum segue_opcode {
	SEGUE_OPCODE_NOP = 0x00, /* No operation. */
	SEGUE_OPCODE_WRITE = 0x08, /* Writes to the peer. */
	SEGUE_OPCODE_SEND = 0x0a, /* Sends to the peer. */
	SEGUE_OPCODE_TABLE = 0x25, /* Loads a table. */
	SEGUE_OPCODE_MIX = 0x3d, /* Does a bit of everything. */
};

/**
 * segue_opcode_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_opcode_name(uint32_t value);

/**
 * Flags that a caller gives with a request.
 * Source: own:made up for tests
 */
enum segue_post_flag {
	SEGUE_SIGNALED = 0x08, /* The completion is reported. */
	SEGUE_SOLICITED = 0x02, /* The peer is woken. */
};

/**
 * segue_post_flag_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_post_flag_name(uint32_t value);

/**
 * Attributes that a transition sets.
 * Source: own:made up for tests
 */
enum segue_qp_attr {
	SEGUE_QP_ATTR_STATE = 0x1, /* The state itself. */
	SEGUE_QP_ATTR_PORT = 0x20, /* The port. */
	SEGUE_QP_ATTR_AV = 0x80, /* The way to the peer. */
	SEGUE_QP_ATTR_TIMEOUT = 0x200, /* How long to wait for an answer. */
};

/**
 * segue_qp_attr_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_qp_attr_name(uint32_t value);

/**
 * States of a queue pair.
 * Source: own:made up for tests
 */
enum segue_qp_state {
	SEGUE_QP_STATE_RESET = 0, /* Nothing moves. */
	SEGUE_QP_STATE_INIT = 1, /* Receives may be posted. */
	SEGUE_QP_STATE_RTS = 3, /* Fully working. */
	SEGUE_QP_STATE_ERR = 6, /* Everything is flushed. */
};

/**
 * segue_qp_state_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_qp_state_name(uint32_t value);

/**
 * Sizes of a work queue entry.
 * Source: own:made up for tests
 */
enum segue_wqe {
	SEGUE_WQE_UNIT_SIZE = 0x10, /* Bytes of one unit. */
	SEGUE_WQE_MAX_UNITS = 0x3f, /* Units of the largest entry. */
	SEGUE_WQE_BLOCK_SIZE = 0x40, /* Bytes of one block. */
};

/**
 * segue_wqe_name() returns the member's name as in the spec, or NULL when the value is no member.
 */
const char *segue_wqe_name(uint32_t value);

#ifdef __cplusplus
}
#endif

#endif /* SEGUE_GEN_ENUMS_H */
