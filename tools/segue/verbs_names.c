// SPDX-License-Identifier: BSD-2-Clause
/* Names of libibverbs' statuses, events and opcodes, with their values. */
#include "tools/segue/verbs_names.h"

#include <infiniband/verbs.h>
#include <string.h>
#include <strings.h>

#include "tools/segue/report.h"

/* Value and name cannot differ, as the compiler makes both of one word. */
#define NAMED(name)               \
	{                         \
		name, #name, NULL \
	}

static const struct verbs_name *status_at(int index)
{
	static struct verbs_name all[] = {
		NAMED(IBV_WC_SUCCESS),
		NAMED(IBV_WC_LOC_LEN_ERR),
		NAMED(IBV_WC_LOC_QP_OP_ERR),
		NAMED(IBV_WC_LOC_EEC_OP_ERR),
		NAMED(IBV_WC_LOC_PROT_ERR),
		NAMED(IBV_WC_WR_FLUSH_ERR),
		NAMED(IBV_WC_MW_BIND_ERR),
		NAMED(IBV_WC_BAD_RESP_ERR),
		NAMED(IBV_WC_LOC_ACCESS_ERR),
		NAMED(IBV_WC_REM_INV_REQ_ERR),
		NAMED(IBV_WC_REM_ACCESS_ERR),
		NAMED(IBV_WC_REM_OP_ERR),
		NAMED(IBV_WC_RETRY_EXC_ERR),
		NAMED(IBV_WC_RNR_RETRY_EXC_ERR),
		NAMED(IBV_WC_LOC_RDD_VIOL_ERR),
		NAMED(IBV_WC_REM_INV_RD_REQ_ERR),
		NAMED(IBV_WC_REM_ABORT_ERR),
		NAMED(IBV_WC_INV_EECN_ERR),
		NAMED(IBV_WC_INV_EEC_STATE_ERR),
		NAMED(IBV_WC_FATAL_ERR),
		NAMED(IBV_WC_RESP_TIMEOUT_ERR),
		NAMED(IBV_WC_GENERAL_ERR),
		NAMED(IBV_WC_TM_ERR),
		NAMED(IBV_WC_TM_RNDV_INCOMPLETE),
	};

	if (index < 0 || index >= (int)(sizeof(all) / sizeof(all[0])))
		return NULL;
	all[index].text = ibv_wc_status_str((enum ibv_wc_status)all[index].value);
	return &all[index];
}

static const struct verbs_name *event_at(int index)
{
	static struct verbs_name all[] = {
		NAMED(IBV_EVENT_CQ_ERR),
		NAMED(IBV_EVENT_QP_FATAL),
		NAMED(IBV_EVENT_QP_REQ_ERR),
		NAMED(IBV_EVENT_QP_ACCESS_ERR),
		NAMED(IBV_EVENT_COMM_EST),
		NAMED(IBV_EVENT_SQ_DRAINED),
		NAMED(IBV_EVENT_PATH_MIG),
		NAMED(IBV_EVENT_PATH_MIG_ERR),
		NAMED(IBV_EVENT_DEVICE_FATAL),
		NAMED(IBV_EVENT_PORT_ACTIVE),
		NAMED(IBV_EVENT_PORT_ERR),
		NAMED(IBV_EVENT_LID_CHANGE),
		NAMED(IBV_EVENT_PKEY_CHANGE),
		NAMED(IBV_EVENT_SM_CHANGE),
		NAMED(IBV_EVENT_SRQ_ERR),
		NAMED(IBV_EVENT_SRQ_LIMIT_REACHED),
		NAMED(IBV_EVENT_QP_LAST_WQE_REACHED),
		NAMED(IBV_EVENT_CLIENT_REREGISTER),
		NAMED(IBV_EVENT_GID_CHANGE),
		NAMED(IBV_EVENT_WQ_FATAL),
	};

	if (index < 0 || index >= (int)(sizeof(all) / sizeof(all[0])))
		return NULL;
	all[index].text = ibv_event_type_str((enum ibv_event_type)all[index].value);
	return &all[index];
}

static const struct verbs_name *wc_opcode_at(int index)
{
	static const struct verbs_name all[] = {
		{IBV_WC_SEND, "IBV_WC_SEND", ""},
		{IBV_WC_RDMA_WRITE, "IBV_WC_RDMA_WRITE", ""},
		{IBV_WC_RDMA_READ, "IBV_WC_RDMA_READ", ""},
		{IBV_WC_COMP_SWAP, "IBV_WC_COMP_SWAP", ""},
		{IBV_WC_FETCH_ADD, "IBV_WC_FETCH_ADD", ""},
		{IBV_WC_BIND_MW, "IBV_WC_BIND_MW", ""},
		{IBV_WC_LOCAL_INV, "IBV_WC_LOCAL_INV", ""},
		{IBV_WC_TSO, "IBV_WC_TSO", ""},
		{IBV_WC_RECV, "IBV_WC_RECV", ""},
		{IBV_WC_RECV_RDMA_WITH_IMM, "IBV_WC_RECV_RDMA_WITH_IMM", ""},
	};

	return index < 0 || index >= (int)(sizeof(all) / sizeof(all[0])) ? NULL : &all[index];
}

const struct verbs_names verbs_wc_opcode = {"ibv_wc_opcode", wc_opcode_at};
const struct verbs_names verbs_wc_status = {"ibv_wc_status", status_at};
const struct verbs_names verbs_event_type = {"ibv_event_type", event_at};

static bool means(const struct verbs_name *entry, const char *text, int how)
{
	uint64_t value;

	if (report_parse_number(text, &value))
		return value == (uint64_t)entry->value;
	return how == 0 ? strcasecmp(entry->name, text) == 0
			: *text && strcasestr(entry->text, text) != NULL;
}

const struct verbs_name *verbs_name_of(const struct verbs_names *names, const char *text)
{
	const struct verbs_name *entry;
	int how, i;

	for (how = 0; how < 2; how++)
		for (i = 0; (entry = names->at(i)) != NULL; i++)
			if (means(entry, text, how))
				return entry;
	return NULL;
}
