/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Actions of a rule on the frames that match, besides naming a queue: counting, changing headers,
 * adding and removing tunnels, going on to a table. Programs make tables themselves (DEVX). The
 * entry with the lowest index comes first.
 *
 * References are not counted here, because the front keeps the used objects alive.
 */
#ifndef SOFTHCA_ENGINE_RAW_FLOW_H
#define SOFTHCA_ENGINE_RAW_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/softhca/engine/packet/eth.h"

struct softhca_qp;
struct softhca_dev;

struct softhca_flow_counter {
	uint64_t packets, bytes;
};

/* List of changes to headers, parsed from the device's form. -EINVAL if it is unsupported. */
struct softhca_modify;
int softhca_modify_create(const uint8_t *actions, size_t bytes, struct softhca_modify **out);
void softhca_modify_destroy(struct softhca_modify *m);
#define SOFTHCA_MODIFY_BYTES 8u
#define SOFTHCA_MODIFY_MAX   16u /* actions of a list */

/* Kinds of tunnels, as the device numbers them. Removing an L2 tunnel needs no object. */
enum softhca_reformat_type {
	SOFTHCA_ENCAP_VXLAN = 0,
	SOFTHCA_ENCAP_NVGRE = 1,
	SOFTHCA_ENCAP_L2 = 2,	     /* headers in front of the frame */
	SOFTHCA_L3_TUNNEL_TO_L2 = 3, /* an Ethernet header instead of the tunnel */
	SOFTHCA_L2_TO_L3_TUNNEL = 4, /* headers instead of the Ethernet header */
	SOFTHCA_DECAP_L2,
};
#define SOFTHCA_ENCAP_MAX 128u
struct softhca_reformat {
	enum softhca_reformat_type type;
	uint32_t len;
	uint8_t data[SOFTHCA_ENCAP_MAX];
};
/* softhca_reformat_check: 0, or -EINVAL for an unknown type or a wrong length of data. */
int softhca_reformat_check(const struct softhca_reformat *r);

struct softhca_flow_table;

#define SOFTHCA_FLOW_DESTS 16u
struct softhca_flow_dest {
	struct softhca_qp *tir; /* a raw packet queue pair; or */
	struct softhca_flow_table *table;
};

struct softhca_flow_act {
	bool drop;
	bool default_miss; /* as if no rule of the program had matched */
	bool decap;	   /* an L2 tunnel, before all else */
	const struct softhca_modify *modify;
	const struct softhca_reformat *reformat;
	struct softhca_flow_counter *counter;
	uint32_t tag; /* 0: that of the previous rule */
	unsigned ndests;
	struct softhca_flow_dest dest[SOFTHCA_FLOW_DESTS];
};

struct softhca_flow_table_attr {
	bool egress;
	uint8_t level;
	uint32_t entries;		 /* number of indices */
	struct softhca_flow_table *miss; /* table for frames that match no entry. NULL: none */
};
int softhca_flow_table_create(const struct softhca_flow_table_attr *attr,
			      struct softhca_flow_table **out);
void softhca_flow_table_destroy(struct softhca_flow_table *t);
const struct softhca_flow_table_attr *softhca_flow_table_attr(const struct softhca_flow_table *t);

struct softhca_flow_entry {
	struct softhca_flow_entry *next; /* in the order of indices */
	struct softhca_flow_table *table;
	uint32_t index;
	uint8_t mask[SOFTHCA_ETH_KEY], value[SOFTHCA_ETH_KEY];
	struct softhca_flow_act act;
};
/*
 * softhca_flow_entry_create: `attr` is copied. -EINVAL for an invalid index, or a destination that
 * is not below the table or has another direction. -EEXIST if the index is taken.
 */
int softhca_flow_entry_create(const struct softhca_flow_entry *attr,
			      struct softhca_flow_entry **out);
void softhca_flow_entry_destroy(struct softhca_flow_entry *e);
/* softhca_flow_check - checks a rule of that direction, above all tables. 0 or -EINVAL. */
int softhca_flow_check(const struct softhca_flow_act *act, bool egress);

/* ---- frames on their way through rules (engine only) ---- */

/* A frame as rules have changed it. The first version is the caller's and stays unchanged. */
struct softhca_version {
	struct softhca_version *next; /* of the versions made on the way */
	uint8_t *bytes;
	size_t len;
	struct softhca_eth eth;
};

struct softhca_flow_walk {
	bool counting; /* counters count */
	/* Delivers this version to a receiver. Not called for outgoing frames. */
	void (*deliver)(void *arg, struct softhca_qp *tir, const struct softhca_version *v,
			uint32_t tag);
	void *arg;
	struct softhca_version *made;
};

enum softhca_flow_end {
	SOFTHCA_FLOW_DONE,    /* delivered, or dropped */
	SOFTHCA_FLOW_MISSED,  /* no match, or default miss */
	SOFTHCA_FLOW_ALLOWED, /* outgoing: it may leave as *v */
};

/* softhca_flow_run - applies `act` to the frame. *v becomes its last version. */
enum softhca_flow_end softhca_flow_run(struct softhca_flow_walk *w,
				       const struct softhca_flow_act *act,
				       const struct softhca_version **v, uint32_t tag);
void softhca_flow_walk_end(struct softhca_flow_walk *w);
bool softhca_flow_matches(const uint8_t *mask, const uint8_t *value, const struct softhca_eth *eth);

/* Each changes a frame in place. False if that is impossible. The frame is then lost. */
bool softhca_modify_apply(const struct softhca_modify *m, struct softhca_version *v);
bool softhca_reformat_apply(const struct softhca_reformat *r, struct softhca_version *v);

#endif
