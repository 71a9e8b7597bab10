/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Steering as mlx5dv and raw commands have it: counters, header changes, tunnels, tables of a
 * program's own, and raw packet queues made by raw commands. Positions in commands are written down
 * once more here, from rdma-core's providers/mlx5/mlx5_ifc.h and Linux mlx5_ifc.h.
 */
#include <arpa/inet.h>

#include "tests/softhca/clients/prm_lib.h"
#include "tests/softhca/clients/raw_lib.h"

int failures;

enum { BAD_PARAM = 0x3, BAD_RES = 0x5, BAD_RES_STATE = 0x9, BAD_INDEX = 0xa };
enum { RX = 0, TX = 1 };
enum { ALLOW = 1, DROP = 2, FORWARD = 4, COUNT = 8, DECAP = 0x20, MODIFY = 0x40 };

static struct side from, to;

static void set_bytes(struct command *c, unsigned int at, const void *bytes, size_t len)
{
	memcpy(c->in + at / 8, bytes, len);
}

static uint32_t number32_in(const struct command *c)
{
	return (uint32_t)get(c->out, 0x40, 32);
}

/* ---- matching on a UDP port, or on nothing ---- */

/* A struct mlx5dv_flow_match_parameters of 64 bytes. */
struct params {
	uint64_t room[9];
};

static struct mlx5dv_flow_match_parameters *match(struct params *p, uint16_t port)
{
	struct mlx5dv_flow_match_parameters *const m = (void *)p->room;

	memset(p, 0, sizeof(*p));
	m->match_sz = 64;
	((uint8_t *)m->match_buf)[30] = (uint8_t)(port >> 8); /* udp_dport */
	((uint8_t *)m->match_buf)[31] = (uint8_t)port;
	return m;
}

static struct mlx5dv_flow_matcher *matcher(uint16_t mask, enum mlx5dv_flow_table_type table,
					   uint16_t priority)
{
	struct params p;
	struct mlx5dv_flow_matcher_attr attr = {
		.type = IBV_FLOW_ATTR_NORMAL,
		.priority = priority,
		.match_criteria_enable = mask ? 1 : 0,
		.match_mask = match(&p, mask),
		.comp_mask = MLX5DV_FLOW_MATCHER_MASK_FT_TYPE,
		.ft_type = table,
	};

	return mlx5dv_create_flow_matcher(ctx, &attr);
}

static struct ibv_flow *rule(struct mlx5dv_flow_matcher *m, uint16_t port, size_t n,
			     struct mlx5dv_flow_action_attr *act)
{
	struct params p;

	return mlx5dv_create_flow(m, match(&p, port), n, act);
}

/* What came for a receive that is posted: its bytes, of that length. */
static const uint8_t *received(struct ibv_cq *cq, uint32_t len)
{
	const struct ibv_wc wc = wait_wc(cq);

	CHECK_EQ(wc.status, IBV_WC_SUCCESS);
	CHECK_EQ(wc.byte_len, len);
	return to.buf + wc.wr_id * 2048;
}

static uint32_t ip_sum(const uint8_t *ip)
{
	uint32_t sum = 0;

	for (int i = 0; i < 20; i += 2)
		sum += (uint32_t)ip[i] << 8 | ip[i + 1];
	return (sum & 0xffff) + (sum >> 16);
}

/* ---- header changes and tunnels ---- */

/* Ethernet, IPv4, UDP to port 4789, VXLAN; lengths and the checksum are the device's business. */
static const uint8_t outer[50] = {
	0x0c, 0, 0,	    0,		0, 9,  0x0c, 0, 0, 0,  0, 8, 8, 0,    0x45, 0, 0,
	0,    0, 0,	    0,		0, 64, 17,   0, 0, 10, 0, 0, 7, 10,   0,    0, 8,
	0x20, 0, 4789 >> 8, 4789 & 255, 0, 0,  0,    0, 8, 0,  0, 0, 0, 0x12, 0x34, 0,
};

static struct ibv_flow_action *tunnel(enum mlx5dv_flow_action_packet_reformat_type type, bool data,
				      enum mlx5dv_flow_table_type table)
{
	uint8_t copy[sizeof(outer)];

	memcpy(copy, outer, sizeof(copy));
	return mlx5dv_create_flow_action_packet_reformat(ctx, data ? sizeof(copy) : 0,
							 data ? copy : NULL, type, table);
}

static struct ibv_flow_action *changes(enum mlx5dv_flow_table_type table)
{
	/* set OUT_DMAC_15_0 to 0xbeef; add 1 to OUT_IP_TTL; copy OUT_UDP_DPORT to OUT_UDP_SPORT */
	const uint32_t list[6] = {htobe32(0x10050010), htobe32(0xbeef),	    htobe32(0x200a0000),
				  htobe32(1),	       htobe32(0x300c0010), htobe32(0x000b0000)};
	uint64_t prm[3];

	memcpy(prm, list, sizeof(prm));
	return mlx5dv_create_flow_action_modify_header(ctx, sizeof(prm), prm, table);
}

static void test_action_errors(void)
{
	uint64_t unknown = htobe64(UINT64_C(0x1fff001000000000));
	/* 32 bits of a field that has 16 */
	uint64_t too_wide = htobe64(UINT64_C(0x1002000000000000));

	CHECK_NULL(mlx5dv_create_flow_action_modify_header(ctx, 8, &unknown,
							   MLX5DV_FLOW_TABLE_TYPE_NIC_RX),
		   EINVAL);
	CHECK_NULL(mlx5dv_create_flow_action_modify_header(ctx, 8, &too_wide,
							   MLX5DV_FLOW_TABLE_TYPE_NIC_RX),
		   EINVAL);
	CHECK_NULL(mlx5dv_create_flow_action_modify_header(ctx, 8, &unknown,
							   MLX5DV_FLOW_TABLE_TYPE_FDB),
		   EOPNOTSUPP);
	/* Frames are put into tunnels on their way out only. */
	CHECK_NULL(tunnel(MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TO_L2_TUNNEL, true,
			  MLX5DV_FLOW_TABLE_TYPE_NIC_RX),
		   EOPNOTSUPP);
	CHECK_NULL(tunnel(MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L3_TUNNEL_TO_L2, true,
			  MLX5DV_FLOW_TABLE_TYPE_NIC_RX),
		   EINVAL);
}

static void test_header_changes(void)
{
	struct ibv_flow_action *mod = changes(MLX5DV_FLOW_TABLE_TYPE_NIC_RX);
	struct mlx5dv_flow_matcher *m = matcher(0xffff, MLX5DV_FLOW_TABLE_TYPE_NIC_RX, 0);
	struct mlx5dv_flow_action_attr act[2] = {
		{.type = MLX5DV_FLOW_ACTION_IBV_FLOW_ACTION, .action = mod},
		{.type = MLX5DV_FLOW_ACTION_DEST_IBV_QP, .qp = to.qp},
	};
	const uint8_t *got;
	struct ibv_flow *flow;

	NEED(mod && m);
	flow = rule(m, 53, 2, act);
	NEED(flow);
	CHECK_RC(ibv_destroy_flow_action(mod), EBUSY);
	post_recv(&to, 0);
	send_frame(&from, 7, 53);
	got = received(to.cq, FRAME);
	CHECK(got[4] == 0xbe && got[5] == 0xef && got[0] == 0x0c);
	CHECK(got[22] == 65 && ip_sum(got + 14) == 0xffff);
	CHECK(got[34] == 0 && got[35] == 53 && got[42] == 7);
	post_recv(&to, 0);
	send_frame_as(&from, 7, 53, 0);
	got = received(to.cq, FRAME);
	CHECK(got[35] == 53 && !got[40] && !got[41]); /* UDP without a checksum stays so */
	CHECK_RC(ibv_destroy_flow(flow), 0);
	CHECK_RC(ibv_destroy_flow_action(mod), 0);
	CHECK_RC(mlx5dv_destroy_flow_matcher(m), 0);
}

/* Out into a tunnel, in as it came, and in out of the tunnel again. */
static void test_tunnel(void)
{
	struct ibv_flow_action *encap = tunnel(
		MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TO_L2_TUNNEL, true,
		MLX5DV_FLOW_TABLE_TYPE_NIC_TX);
	struct ibv_flow_action *decap = tunnel(
		MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TUNNEL_TO_L2, false,
		MLX5DV_FLOW_TABLE_TYPE_NIC_RX);
	struct mlx5dv_flow_matcher *out = matcher(0xffff, MLX5DV_FLOW_TABLE_TYPE_NIC_TX, 0);
	struct mlx5dv_flow_matcher *in = matcher(0xffff, MLX5DV_FLOW_TABLE_TYPE_NIC_RX, 0);
	struct mlx5dv_flow_action_attr to_tunnel = {.type = MLX5DV_FLOW_ACTION_IBV_FLOW_ACTION,
						    .action = encap};
	struct mlx5dv_flow_action_attr act[2] = {
		{.type = MLX5DV_FLOW_ACTION_DEST_IBV_QP, .qp = to.qp},
		{.type = MLX5DV_FLOW_ACTION_IBV_FLOW_ACTION, .action = decap},
	};
	const uint32_t whole = FRAME + sizeof(outer);
	struct ibv_flow *leave, *arrive;
	const uint8_t *got;

	NEED(encap && decap && out && in);
	CHECK_NULL(rule(out, 53, 2, act), EINVAL); /* to a queue pair */
	CHECK_NULL(rule(in, 53, 1, &to_tunnel), EINVAL);
	leave = rule(out, 53, 1, &to_tunnel);
	arrive = rule(in, 4789, 1, act);
	NEED(leave && arrive);
	post_recv(&to, 0);
	send_frame(&from, 9, 54); /* not for the tunnel, and nobody wants it */
	send_frame(&from, 8, 53);
	got = received(to.cq, whole);
	CHECK(!memcmp(got, outer, 16) && !memcmp(got + 26, outer + 26, 12));
	CHECK((got[16] << 8 | got[17]) == (int)whole - 14 && ip_sum(got + 14) == 0xffff);
	CHECK((got[38] << 8 | got[39]) == (int)whole - 34);
	CHECK(got[sizeof(outer) + 29] == 8 && got[whole - 1] == 8);
	CHECK_RC(ibv_destroy_flow(arrive), 0);
	arrive = rule(in, 4789, 2, act);
	NEED(arrive);
	post_recv(&to, 1);
	send_frame(&from, 8, 53);
	got = received(to.cq, FRAME);
	/* But for the checksums, which are made when it is sent. */
	CHECK(!memcmp(got, from.buf, 24) && !memcmp(got + 26, from.buf + 26, 14) &&
	      !memcmp(got + 42, from.buf + 42, FRAME - 42));
	CHECK_RC(ibv_destroy_flow(arrive), 0);
	CHECK_RC(ibv_destroy_flow(leave), 0);
	CHECK_RC(ibv_destroy_flow_action(encap), 0);
	CHECK_RC(ibv_destroy_flow_action(decap), 0);
	CHECK_RC(mlx5dv_destroy_flow_matcher(out), 0);
	CHECK_RC(mlx5dv_destroy_flow_matcher(in), 0);
}

/* ---- counters of verbs ---- */

static void test_counters(void)
{
	struct ibv_counters_init_attr init = {0};
	struct ibv_counters *counters = ibv_create_counters(ctx, &init);
	struct ibv_counter_attach_attr bytes = {.counter_desc = IBV_COUNTER_BYTES, .index = 0};
	struct ibv_counter_attach_attr packets = {.counter_desc = IBV_COUNTER_PACKETS, .index = 2};
	/* Behind each other, without a gap. */
	const struct ibv_flow_attr attr = {.type = IBV_FLOW_ATTR_NORMAL,
					   .size = sizeof(attr) +
						   sizeof(struct ibv_flow_spec_counter_action),
					   .num_of_specs = 1,
					   .port = 1};
	const struct ibv_flow_spec_counter_action count = {
		.type = IBV_FLOW_SPEC_ACTION_COUNT, .size = sizeof(count), .counters = counters};
	uint32_t r[(sizeof(attr) + sizeof(count)) / 4];
	uint64_t value[3] = {0};
	struct ibv_flow *flow;

	NEED(counters);
	CHECK_RC(ibv_attach_counters_point_flow(counters, &bytes, NULL), 0);
	CHECK_RC(ibv_attach_counters_point_flow(counters, &packets, NULL), 0);
	CHECK(ibv_read_counters(counters, value, 3, 0) != 0); /* no rule yet */
	memcpy(r, &attr, sizeof(attr));
	memcpy((uint8_t *)r + sizeof(attr), &count, sizeof(count));
	flow = ibv_create_flow(to.qp, (void *)r);
	NEED(flow);
	for (unsigned int i = 0; i < 3; i++)
		post_recv(&to, i);
	for (unsigned int i = 0; i < 3; i++)
		send_frame(&from, 1, 53);
	for (unsigned int i = 0; i < 3; i++)
		(void)received(to.cq, FRAME);
	CHECK_RC(ibv_read_counters(counters, value, 3, 0), 0);
	CHECK(value[0] == 3 * FRAME && !value[1] && value[2] == 3);
	CHECK(ibv_read_counters(counters, value, 2, 0) != 0); /* there is an index 2 */
	CHECK_RC(ibv_destroy_counters(counters), EBUSY);
	CHECK_RC(ibv_destroy_flow(flow), 0);
	CHECK_RC(ibv_destroy_counters(counters), 0);
}

/* ---- tables by raw commands ---- */

static struct mlx5dv_devx_obj *made(struct command *c)
{
	struct mlx5dv_devx_obj *obj = create(ctx, c);

	if (!obj)
		fprintf(stderr, "command 0x%04x: status 0x%x\n", (c->in[0] << 8) | c->in[1],
			c->out[0]);
	CHECK(obj);
	return obj;
}

struct counter {
	struct mlx5dv_devx_obj *obj;
	uint32_t id;
};

static struct counter counter(void)
{
	struct command c = command(0x939, 0x80, 0x80);
	struct counter n = {.obj = made(&c)};

	n.id = number32_in(&c);
	return n;
}

static uint64_t packets_of(const struct counter *n)
{
	struct command c = command(0x93b, 0x100, 0x100);

	set(&c, 0xe0, 32, n->id);
	CHECK_RC(mlx5dv_devx_obj_query(n->obj, c.in, c.in_len, c.out, c.out_len), 0);
	CHECK_EQ(get(c.out, 0xc0, 64), FRAME * get(c.out, 0x80, 64));
	return get(c.out, 0x80, 64);
}

static struct command table_cmd(uint8_t level, uint32_t miss)
{
	struct command c = command(0x930, 0x200, 0x80);

	set(&c, 0x80, 8, RX);
	set(&c, 0xc0 + 0x8, 8, level);
	set(&c, 0xc0 + 0x18, 8, 3);
	if (miss) {
		set(&c, 0xc0 + 0x4, 4, 1);
		set(&c, 0xc0 + 0x28, 24, miss);
	}
	return c;
}

/* Indices 0 to `end` look at the UDP port. */
static struct command group_cmd(uint32_t table, uint32_t end)
{
	struct command c = command(0x933, 0x2000, 0x80);

	set(&c, 0xa8, 24, table);
	set(&c, 0x120, 32, end);
	set(&c, 0x1f8, 8, 1);
	set(&c, 0x200 + 30 * 8, 16, 0xffff);
	return c;
}

struct entry {
	uint32_t table, group, index, action, tag, modify;
	uint16_t port;
	uint8_t dest_type; /* 1 table, 2 TIR */
	uint32_t dest, counter;
};

static struct command entry_cmd(const struct entry *e)
{
	struct command c = command(0x936, 0x1a80, 0x80);
	unsigned int at = 0x1a00;

	set(&c, 0xa8, 24, e->table);
	set(&c, 0x100, 32, e->index);
	set(&c, 0x200 + 0x20, 32, e->group);
	set(&c, 0x200 + 0x48, 24, e->tag);
	set(&c, 0x200 + 0x70, 16, e->action);
	set(&c, 0x200 + 0xe0, 32, e->modify);
	set(&c, 0x400 + 30 * 8, 16, e->port);
	if (e->action & FORWARD) {
		set(&c, 0x200 + 0x88, 24, 1);
		set(&c, at, 8, e->dest_type);
		set(&c, at + 8, 24, e->dest);
		at += 0x40;
	}
	if (e->action & COUNT) {
		set(&c, 0x200 + 0xa8, 24, 1);
		set(&c, at, 32, e->counter);
	}
	return c;
}

static struct command tir_cmd(uint32_t rqn)
{
	struct command c = command(0x900, 0x100 + 0x780, 0x80);

	set(&c, 0x100 + 0xe8, 24, rqn);
	return c;
}

/* A receive queue of verbs below a TIR. */
struct target {
	struct ibv_wq *wq;
	struct mlx5dv_devx_obj *tir;
	uint32_t tirn;
};

static struct target target_open(void)
{
	struct ibv_wq_init_attr init = {
		.wq_type = IBV_WQT_RQ, .max_wr = 16, .max_sge = 1, .pd = pd, .cq = to.cq};
	struct ibv_wq_attr ready = {.attr_mask = IBV_WQ_ATTR_STATE, .wq_state = IBV_WQS_RDY};
	struct target t = {.wq = ibv_create_wq(ctx, &init)};
	struct command c;

	CHECK(t.wq);
	CHECK_RC(ibv_modify_wq(t.wq, &ready), 0);
	c = tir_cmd(t.wq->wq_num);
	t.tir = made(&c);
	t.tirn = number_in(&c);
	CHECK_RC(ibv_destroy_wq(t.wq), EBUSY);
	return t;
}

static void target_recv(struct target *t, unsigned int slot)
{
	struct ibv_sge sge = {(uint64_t)(uintptr_t)(to.buf + slot * 2048), 2048, to.mr->lkey};
	struct ibv_recv_wr wr = {.wr_id = slot, .sg_list = &sge, .num_sge = 1}, *bad;

	CHECK_RC(ibv_post_wq_recv(t->wq, &wr, &bad), 0);
}

static struct mlx5dv_devx_obj *modify_list(uint32_t *id)
{
	struct command c = command(0x940, 0xc0, 0x80);
	struct mlx5dv_devx_obj *obj;

	set(&c, 0x78, 8, 1);
	set(&c, 0x80, 32, 0x10060006); /* set OUT_IP_DSCP, six bits */
	set(&c, 0xa0, 32, 46);
	obj = made(&c);
	*id = number32_in(&c);
	return obj;
}

static void test_tables(void)
{
	struct target t = target_open();
	struct counter hits = counter(), drops = counter(), all = counter();
	struct mlx5dv_flow_matcher *m = matcher(0, MLX5DV_FLOW_TABLE_TYPE_NIC_RX, 0);
	struct mlx5dv_devx_obj *first, *second, *group, *group2, *hit, *drop, *rest, *mod;
	struct command c = table_cmd(5, 0);
	uint32_t first_id, second_id, group_id, mod_id;
	struct mlx5dv_flow_action_attr act[2] = {
		{.type = MLX5DV_FLOW_ACTION_DEST_DEVX},
		{.type = MLX5DV_FLOW_ACTION_COUNTERS_DEVX, .obj = all.obj},
	};
	struct entry e = {.group = 0};
	struct ibv_flow *flow;
	const uint8_t *got;

	mod = modify_list(&mod_id);
	second = made(&c);
	second_id = number_in(&c);
	c = table_cmd(6, second_id);
	refused(ctx, &c, BAD_PARAM); /* upwards */
	c = table_cmd(4, second_id);
	first = made(&c);
	first_id = number_in(&c);
	c = group_cmd(first_id, 8);
	refused(ctx, &c, BAD_PARAM); /* of eight */
	c = group_cmd(first_id, 3);
	group = made(&c);
	group_id = number_in(&c);
	refused(ctx, &c, BAD_PARAM); /* the same indices again */
	e = (struct entry){.table = first_id, .group = group_id, .index = 4, .action = DROP};
	c = entry_cmd(&e);
	refused(ctx, &c, BAD_INDEX);
	e.index = 1;
	e.action = 0;
	c = entry_cmd(&e);
	refused(ctx, &c, BAD_PARAM);
	e = (struct entry){first_id, group_id, 1,      FORWARD | COUNT | MODIFY, 0x55, mod_id, 53,
			   2,	     t.tirn,   hits.id};
	c = entry_cmd(&e);
	hit = made(&c);
	e = (struct entry){first_id, group_id, 2, DROP | COUNT, 0, 0, 54, 0, 0, drops.id};
	c = entry_cmd(&e);
	drop = made(&c);
	c = group_cmd(second_id, 0);
	set(&c, 0x1f8, 8, 0); /* anything */
	group2 = made(&c);
	group_id = number_in(&c);
	e = (struct entry){second_id, group_id, 0, FORWARD, 0, 0, 0, 1, first_id, 0};
	c = entry_cmd(&e);
	refused(ctx, &c, BAD_PARAM); /* upwards */
	e.dest_type = 2;
	e.dest = t.tirn + 1;
	c = entry_cmd(&e);
	refused(ctx, &c, BAD_RES);
	e.dest = t.tirn;
	c = entry_cmd(&e);
	rest = made(&c);

	act[0].obj = first;
	flow = rule(m, 0, 2, act);
	NEED(flow);
	CHECK(mlx5dv_devx_obj_destroy(first) != 0);
	for (unsigned int i = 0; i < 4; i++)
		target_recv(&t, i);
	send_frame(&from, 1, 54);
	send_frame(&from, 2, 53);
	got = received(to.cq, FRAME);
	CHECK(got[29] == 2 && got[15] == 46 << 2 && ip_sum(got + 14) == 0xffff);
	send_frame(&from, 3, 55);
	got = received(to.cq, FRAME);
	CHECK(got[29] == 3 && got[15] == 0);
	CHECK(packets_of(&hits) == 1 && packets_of(&drops) == 1 && packets_of(&all) == 3);

	CHECK_RC(ibv_destroy_flow(flow), 0);
	CHECK_RC(mlx5dv_destroy_flow_matcher(m), 0);
	struct mlx5dv_devx_obj *const objs[] = {hit,	drop, rest,	group,	   group2,  first,
						second, mod,  hits.obj, drops.obj, all.obj, t.tir};

	for (size_t i = 0; i < sizeof(objs) / sizeof(objs[0]); i++)
		CHECK_RC(mlx5dv_devx_obj_destroy(objs[i]), 0);
	CHECK_RC(ibv_destroy_wq(t.wq), 0);
}

/* ---- raw packet queues by raw commands ---- */

static uint8_t *memory; /* rings and records */
static struct mlx5dv_devx_umem *umem;
static struct mlx5dv_devx_uar *uar;
static uint32_t pdn, cqn;

#define RQ_RING 0u /* two, of 16 entries of 16 bytes */
#define SQ_RING 4096u
#define RECORDS 8192u

/* Where the ring's description begins in the contexts of both. */
#define RING	(0x100 + 0x180)

static struct command queue_cmd(uint16_t opcode, unsigned int ring, unsigned int record,
				unsigned int log_stride)
{
	struct command c = command(opcode, 0x100 + 0x180 + 0x600, 0x80);

	set(&c, 0x100 + 0x28, 24, 0x40 + record); /* user index */
	set(&c, 0x100 + 0x48, 24, cqn);
	set(&c, RING, 4, 1);
	set(&c, RING + 0x48, 24, pdn);
	set(&c, RING + 0x68, 24, uar->page_id);
	set(&c, RING + 0x80, 64, RECORDS + record);
	set(&c, RING + 0x10c, 4, log_stride);
	set(&c, RING + 0x11b, 5, 4);
	set(&c, RING + 0x140, 32, umem->umem_id);
	set(&c, RING + 0x160, 32, umem->umem_id);
	set(&c, RING + 0x180, 64, ring);
	return c;
}

static int to_state(struct mlx5dv_devx_obj *obj, uint16_t opcode, uint32_t number,
		    const int state[2])
{
	struct command c = command(opcode, 0x100 + 0x780, 0x80);

	set(&c, 0x40, 4, (uint64_t)state[0]);
	set(&c, 0x48, 24, number);
	set(&c, 0x100 + 0x8, 4, (uint64_t)state[1]);
	return mlx5dv_devx_obj_modify(obj, c.in, c.in_len, c.out, c.out_len);
}

static struct mlx5dv_devx_obj *rqt_of(const uint32_t rqn[2], uint32_t *id)
{
	struct command c = command(0x916, 0x100 + 0x780 + 2 * 32, 0x80);
	struct mlx5dv_devx_obj *obj;

	set(&c, 0x100 + 0xb0, 16, 2);
	set(&c, 0x100 + 0xd0, 16, 3);
	c.in_len += 4;
	refused(ctx, &c, BAD_PARAM); /* three entries, and two at most */
	c.in_len -= 4;
	set(&c, 0x100 + 0xd0, 16, 2);
	for (unsigned int i = 0; i < 2; i++)
		set(&c, 0x100 + 0x780 + i * 32, 32, rqn[i]);
	obj = made(&c);
	*id = number_in(&c);
	return obj;
}

static struct mlx5dv_devx_obj *spreading_tir(uint32_t rqt, uint32_t domain, uint8_t self)
{
	static const uint8_t key[40] = {0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67};
	struct command c = tir_cmd(0);

	set(&c, 0x100 + 0x20, 4, 1);
	set(&c, 0x100 + 0x108, 24, rqt);
	set(&c, 0x100 + 0x120, 4, 2);
	set_bytes(&c, 0x100 + 0x140, key, sizeof(key));
	set(&c, 0x100 + 0x282, 30, 3); /* IPv4, both addresses */
	set(&c, 0x100 + 0x126, 2, self);
	set(&c, 0x100 + 0x128, 24, domain);
	return made(&c);
}

/* One frame by hand: control, Ethernet segment, data. */
static void sq_send(uint32_t sqn, uint16_t index, uint32_t len)
{
	struct mlx5_wqe_ctrl_seg *ctrl = (void *)(memory + SQ_RING + index % 16 * 64u);
	struct mlx5_wqe_eth_seg *eth = (void *)(ctrl + 1);
	uint8_t *wqe = (uint8_t *)ctrl;

	memset(wqe, 0, 64);
	mlx5dv_set_ctrl_seg(ctrl, index, MLX5_OPCODE_SEND, 0, sqn, MLX5_WQE_CTRL_CQ_UPDATE, 3, 0,
			    0);
	eth->cs_flags = MLX5_ETH_WQE_L3_CSUM;
	mlx5dv_set_data_seg((void *)(wqe + 32), len, from.mr->lkey, (uint64_t)(uintptr_t)from.buf);
	__sync_synchronize();
	((volatile uint32_t *)(memory + RECORDS + 64))[MLX5_SND_DBR] = htobe32(
		(uint16_t)(index + 1));
	__sync_synchronize();
	*(volatile uint64_t *)uar->reg_addr = *(uint64_t *)ctrl;
}

static void rq_post(unsigned int q, unsigned int n)
{
	struct mlx5_wqe_data_seg *ring = (void *)(memory + RQ_RING + q * 256);

	for (unsigned int i = 0; i < n; i++)
		mlx5dv_set_data_seg(&ring[i], 2048, to.mr->lkey,
				    (uint64_t)(uintptr_t)(to.buf + (q * 16 + i) * 2048));
	__sync_synchronize();
	*(volatile uint32_t *)(memory + RECORDS + q * 16) = htobe32(n);
}

static const struct mlx5_cqe64 *cqe_wait(const struct mlx5dv_cq *cq, uint32_t i)
{
	const double end = seconds() + 30;
	struct mlx5_cqe64 *cqe = (void *)((char *)cq->buf + (i + 1) * cq->cqe_size -
					  sizeof(struct mlx5_cqe64));

	while (__atomic_load_n(&cqe->op_own, __ATOMIC_ACQUIRE) >> 4 == MLX5_CQE_INVALID)
		if (seconds() > end) {
			CHECK(!"a completion came");
			break;
		}
	return cqe;
}

static void send_by_hand(uint32_t sqn, const struct mlx5dv_cq *dvcq)
{
	unsigned int seen[3] = {0};

	for (uint16_t i = 0; i < 16; i++) {
		from.buf[29] = (uint8_t)(i + 1);
		sq_send(sqn, i, FRAME);
		/* Both completions, in whichever order; what is in the buffer is sent by then. */
		for (uint32_t n = 2u * i; n < 2u * i + 2; n++) {
			const struct mlx5_cqe64 *cqe = cqe_wait(dvcq, n);
			const uint32_t uidx = be32toh(cqe->srqn_uidx) & 0xffffff;

			CHECK(cqe->op_own >> 4 == MLX5_CQE_REQ
				      ? uidx == 0x40 + 64
				      : cqe->op_own >> 4 == MLX5_CQE_RESP_SEND);
			if (cqe->op_own >> 4 != MLX5_CQE_RESP_SEND) {
				seen[2]++;
				continue;
			}
			CHECK(be32toh(cqe->byte_cnt) == FRAME && (uidx == 0x40 || uidx == 0x50));
			seen[uidx == 0x50]++;
		}
	}
	CHECK(seen[2] == 16 && seen[0] && seen[1]);
}

static void test_queues(void)
{
	struct ibv_cq *cq = ibv_create_cq(ctx, 63, NULL, NULL, 0);
	struct mlx5dv_pd dvpd;
	struct mlx5dv_cq dvcq = {.comp_mask = 0};
	struct mlx5dv_obj obj = {.pd = {.in = pd, .out = &dvpd}, .cq = {.in = cq, .out = &dvcq}};
	struct mlx5dv_flow_matcher *m = matcher(0, MLX5DV_FLOW_TABLE_TYPE_NIC_RX, 0);
	struct mlx5dv_flow_action_attr act = {.type = MLX5DV_FLOW_ACTION_DEST_DEVX}, deaf = act;
	struct mlx5dv_devx_obj *rq[2], *sq, *rqt, *td, *tis;
	struct command c = command(0x816, 0x80, 0x80);
	const int ready[2] = {0, 1}, again[2] = {0, 1};
	uint32_t rqn[2], sqn, rqtn, tdn, tisn;
	struct ibv_flow *flow, *deaf_flow;

	NEED(cq && m && !posix_memalign((void **)&memory, 4096, 3 * 4096));
	memset(memory, 0, 3 * 4096);
	CHECK_RC(mlx5dv_init_obj(&obj, MLX5DV_OBJ_PD | MLX5DV_OBJ_CQ), 0);
	pdn = dvpd.pdn;
	cqn = dvcq.cqn;
	umem = mlx5dv_devx_umem_reg(ctx, memory, 3 * 4096, IBV_ACCESS_LOCAL_WRITE);
	uar = mlx5dv_devx_alloc_uar(ctx, MLX5DV_UAR_ALLOC_TYPE_NC);
	NEED(umem && uar);
	td = made(&c);
	tdn = number_in(&c);
	c = command(0x912, 0x100 + 0x500, 0x80);
	set(&c, 0x100 + 0x128, 24, tdn);
	tis = made(&c);
	c = queue_cmd(0x904, SQ_RING, 64, 6);
	refused(ctx, &c, BAD_RES); /* no TIS */
	CHECK_RC(mlx5dv_devx_obj_destroy(tis), 0);
	c = command(0x912, 0x100 + 0x500, 0x80);
	tis = made(&c); /* of the context's own domain */
	CHECK_RC(mlx5dv_devx_obj_destroy(tis), 0);
	c = command(0x912, 0x100 + 0x500, 0x80);
	set(&c, 0x100 + 0x128, 24, tdn);
	tis = made(&c);
	tisn = number_in(&c);
	c = queue_cmd(0x904, SQ_RING, 64, 6);
	set(&c, 0x100 + 0x168, 24, tisn);
	sq = made(&c);
	sqn = number_in(&c);
	for (unsigned int i = 0; i < 2; i++) {
		c = queue_cmd(0x908, RQ_RING + i * 256, i * 16, 4);
		set(&c, 0x100 + 0x3, 1, 1); /* tags stay */
		rq[i] = made(&c);
		rqn[i] = number_in(&c);
		CHECK_RC(to_state(rq[i], 0x909, rqn[i], ready), 0);
		rq_post(i, 16);
	}
	CHECK(to_state(rq[0], 0x909, rqn[0], again) != 0); /* it is not in RST */
	CHECK(to_state(rq[0], 0x909, rqn[1], ready) != 0);
	CHECK_RC(to_state(sq, 0x905, sqn, ready), 0);
	rqt = rqt_of(rqn, &rqtn);
	CHECK(mlx5dv_devx_obj_destroy(rq[0]) != 0);
	/* Frames of its own transport domain come to a TIR that wants them, and to no other. */
	act.obj = spreading_tir(rqtn, tdn, 1);
	deaf.obj = spreading_tir(rqtn, tdn, 2);
	c = tir_cmd(rqn[0]);
	set(&c, 0x100 + 0x128, 24, 0xffffff);
	refused(ctx, &c, BAD_RES); /* no such domain */
	flow = rule(m, 0, 1, &act);
	deaf_flow = rule(m, 0, 1, &deaf);
	NEED(flow && deaf_flow);
	send_by_hand(sqn, &dvcq);

	CHECK_RC(ibv_destroy_flow(flow), 0);
	CHECK_RC(ibv_destroy_flow(deaf_flow), 0);
	CHECK(mlx5dv_devx_obj_destroy(td) != 0); /* in use */
	CHECK_RC(mlx5dv_destroy_flow_matcher(m), 0);
	struct mlx5dv_devx_obj *const objs[] = {act.obj, deaf.obj, rqt, rq[0], rq[1], sq, tis, td};

	for (size_t i = 0; i < sizeof(objs) / sizeof(objs[0]); i++)
		CHECK_RC(mlx5dv_devx_obj_destroy(objs[i]), 0);
	mlx5dv_devx_free_uar(uar);
	CHECK_RC(mlx5dv_devx_umem_dereg(umem), 0);
	CHECK_RC(ibv_destroy_cq(cq), 0);
	free(memory);
}

int main(void)
{
	struct mlx5dv_context_attr attr = {.flags = MLX5DV_CONTEXT_FLAGS_DEVX};
	struct ibv_device **list = ibv_get_device_list(NULL);

	NEED(list && list[0]);
	ctx = mlx5dv_open_device(list[0], &attr);
	NEED(ctx);
	ibv_free_device_list(list);
	pd = ibv_alloc_pd(ctx);
	NEED(pd);
	side_open(&from);
	side_open(&to);
	test_action_errors();
	test_header_changes();
	test_tunnel();
	test_counters();
	test_tables();
	test_queues();
	side_close(&from);
	side_close(&to);
	CHECK_RC(ibv_dealloc_pd(pd), 0);
	CHECK_RC(ibv_close_device(ctx), 0);
	printf("%d failures\n", failures);
	return failures != 0;
}
