/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/softhca/clients/rdmacm_lib.h"

#include <arpa/inet.h>
#include <stdlib.h>

int failures;

bool ready(struct rdma_event_channel *ch, int timeout_ms)
{
	struct pollfd p = {.fd = ch->fd, .events = POLLIN};

	return poll(&p, 1, timeout_ms) == 1 && p.revents & POLLIN;
}

static void keep(struct seen *s, const struct rdma_cm_event *e)
{
	const bool ud = e->id->qp_type == IBV_QPT_UD;
	const void *const data = ud ? e->param.ud.private_data : e->param.conn.private_data;
	const uint8_t len = ud ? e->param.ud.private_data_len : e->param.conn.private_data_len;

	memset(s, 0, sizeof(*s));
	s->id = e->id;
	s->type = e->event;
	s->status = e->status;
	if (ud)
		s->ud = e->param.ud;
	else
		s->conn = e->param.conn;
	if (data && len)
		memcpy(s->data, data, len);
}

bool expect(struct rdma_event_channel *ch, enum rdma_cm_event_type type, int status,
	    struct seen *seen)
{
	struct rdma_cm_event *e;
	struct seen local;

	if (!ready(ch, DEADLINE_MS)) {
		fprintf(stderr, "no %s within %d s\n", rdma_event_str(type), DEADLINE_MS / 1000);
		return false;
	}
	if (rdma_get_cm_event(ch, &e))
		return false;
	keep(seen ? seen : &local, e);
	if (e->event != type || e->status != status)
		fprintf(stderr, "%s, status %d; expected %s, status %d\n", rdma_event_str(e->event),
			e->status, rdma_event_str(type), status);
	status = e->event == type && e->status == status;
	rdma_ack_cm_event(e);
	return status;
}

struct sockaddr_in address(const char *ip, uint16_t port)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)};

	if (ip)
		inet_pton(AF_INET, ip, &a.sin_addr);
	return a;
}

struct rdma_cm_id *new_id(struct rdma_event_channel *ch, enum rdma_port_space ps)
{
	struct rdma_cm_id *id;

	if (rdma_create_id(ch, &id, NULL, ps)) {
		perror("rdma_create_id");
		exit(1);
	}
	return id;
}

struct rdma_cm_id *listener(struct rdma_event_channel *ch, enum rdma_port_space ps, int backlog,
			    uint16_t *port)
{
	struct sockaddr_in any = address(NULL, 0);
	struct rdma_cm_id *const id = new_id(ch, ps);

	CHECK(!rdma_bind_addr(id, sa(&any)));
	CHECK(!rdma_listen(id, backlog));
	*port = ntohs(rdma_get_src_port(id));
	CHECK(*port);
	return id;
}

struct rdma_cm_id *routed(struct rdma_event_channel *ch, enum rdma_port_space ps, const char *ip,
			  uint16_t port)
{
	struct sockaddr_in to = address(ip, port);
	struct rdma_cm_id *const id = new_id(ch, ps);

	CHECK(!rdma_resolve_addr(id, NULL, sa(&to), RESOLVE_MS));
	EXPECT(ch, ADDR_RESOLVED, 0, NULL);
	CHECK(!rdma_resolve_route(id, RESOLVE_MS));
	EXPECT(ch, ROUTE_RESOLVED, 0, NULL);
	CHECK_EQ(id->route.num_paths, 1);
	return id;
}

int make_qp(struct rdma_cm_id *id)
{
	struct ibv_qp_init_attr init = {
		.qp_type = id->qp_type,
		.cap = {.max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1, .max_recv_sge = 1},
	};

	return rdma_create_qp(id, NULL, &init);
}

void link_open(struct link *l, enum rdma_port_space ps)
{
	memset(l, 0, sizeof(*l));
	l->active_ch = rdma_create_event_channel();
	l->passive_ch = rdma_create_event_channel();
	if (!l->active_ch || !l->passive_ch) {
		perror("rdma_create_event_channel");
		exit(1);
	}
	l->listen = listener(l->passive_ch, ps, 8, &l->port);
}

void link_request(struct link *l, const char *ip)
{
	struct rdma_conn_param param = {.responder_resources = 2,
					.initiator_depth = 3,
					.retry_count = 5,
					.rnr_retry_count = 6};
	struct seen seen = {0};

	l->active = routed(l->active_ch, l->listen->ps, ip, l->port);
	CHECK(!make_qp(l->active));
	CHECK(!rdma_connect(l->active, &param));
	EXPECT(l->passive_ch, CONNECT_REQUEST, 0, &seen);
	l->passive = seen.id;
	if (!l->passive)
		exit(1); /* nothing that follows makes sense */
}

void link_establish(struct link *l)
{
	struct rdma_conn_param param = {
		.responder_resources = 1, .initiator_depth = 1, .rnr_retry_count = 7};

	CHECK(!make_qp(l->passive));
	CHECK(!rdma_accept(l->passive, &param));
	EXPECT(l->active_ch, ESTABLISHED, 0, NULL);
	if (l->passive->qp_type != IBV_QPT_UD)
		EXPECT(l->passive_ch, ESTABLISHED, 0, NULL);
}

static void drop(struct rdma_cm_id *id)
{
	if (!id)
		return;
	if (id->qp)
		rdma_destroy_qp(id);
	CHECK(!rdma_destroy_id(id));
}

void link_close(struct link *l)
{
	drop(l->active);
	drop(l->passive);
	drop(l->listen);
	rdma_destroy_event_channel(l->active_ch);
	rdma_destroy_event_channel(l->passive_ch);
}
