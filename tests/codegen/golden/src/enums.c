/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
#include "segue/gen/enums.h"

#include <stddef.h>

const char *segue_completion_mode_name(uint32_t value)
{
	switch (value) {
	case SEGUE_COMPLETION_MODE_ON_ERROR:
		return "ON_ERROR";
	case SEGUE_COMPLETION_MODE_ALWAYS:
		return "ALWAYS";
	default:
		return NULL;
	}
}

const char *segue_holder_name(uint32_t value)
{
	switch (value) {
	case SEGUE_HOLDER_READ:
		return "READ";
	case SEGUE_HOLDER_WRITE:
		return "WRITE";
	case SEGUE_HOLDER_ALL:
		return "ALL";
	default:
		return NULL;
	}
}

const char *segue_opcode_name(uint32_t value)
{
	switch (value) {
	case SEGUE_OPCODE_NOP:
		return "NOP";
	case SEGUE_OPCODE_WRITE:
		return "WRITE";
	case SEGUE_OPCODE_SEND:
		return "SEND";
	case SEGUE_OPCODE_TABLE:
		return "TABLE";
	case SEGUE_OPCODE_MIX:
		return "MIX";
	default:
		return NULL;
	}
}

const char *segue_post_flag_name(uint32_t value)
{
	switch (value) {
	case SEGUE_SIGNALED:
		return "SIGNALED";
	case SEGUE_SOLICITED:
		return "SOLICITED";
	default:
		return NULL;
	}
}

const char *segue_qp_attr_name(uint32_t value)
{
	switch (value) {
	case SEGUE_QP_ATTR_STATE:
		return "STATE";
	case SEGUE_QP_ATTR_PORT:
		return "PORT";
	case SEGUE_QP_ATTR_AV:
		return "AV";
	case SEGUE_QP_ATTR_TIMEOUT:
		return "TIMEOUT";
	default:
		return NULL;
	}
}

const char *segue_qp_state_name(uint32_t value)
{
	switch (value) {
	case SEGUE_QP_STATE_RESET:
		return "RESET";
	case SEGUE_QP_STATE_INIT:
		return "INIT";
	case SEGUE_QP_STATE_RTS:
		return "RTS";
	case SEGUE_QP_STATE_ERR:
		return "ERR";
	default:
		return NULL;
	}
}

const char *segue_wqe_name(uint32_t value)
{
	switch (value) {
	case SEGUE_WQE_UNIT_SIZE:
		return "UNIT_SIZE";
	case SEGUE_WQE_MAX_UNITS:
		return "MAX_UNITS";
	case SEGUE_WQE_BLOCK_SIZE:
		return "BLOCK_SIZE";
	default:
		return NULL;
	}
}
