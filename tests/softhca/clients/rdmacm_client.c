/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a program sees of the RDMA connection manager: connecting and every way in which that ends
 * otherwise, ports, datagrams, multicast, channels, forks and dead peers. Both ends are in this
 * process unless a test says otherwise; on the kernel's rdma_cm it should pass as well.
 * rdmacm_client [TEST...]: all tests, or the named ones.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/softhca/clients/rdmacm_lib.h"

#define CONSUMER_REJECT	   28
#define INVALID_SERVICE_ID 8
#define REQ_PRIVATE	   56 /* what the connection manager leaves of the 92 bytes of a REQ */
#define REP_PRIVATE	   196
#define REJ_PRIVATE	   148
#define SIDR_REQ_PRIVATE   180
#define SIDR_REP_PRIVATE   136
#define NOBODY		   "127.77.191.254"

/* ---- connections ---- */

static bool completes(struct ibv_cq *cq)
{
	struct ibv_wc wc;
	int n = 0;

	for (int left = DEADLINE_MS * 10; !n && left; left--) {
		n = ibv_poll_cq(cq, 1, &wc);
		if (!n)
			usleep(100);
	}
	return n == 1 && wc.status == IBV_WC_SUCCESS;
}

static void send_and_receive(struct rdma_cm_id *from, struct rdma_cm_id *to)
{
	static char out[64] = "through the queue pairs", in[64];
	struct ibv_mr *const mr_out = ibv_reg_mr(from->pd, out, sizeof(out), 0);
	struct ibv_mr *const mr_in = ibv_reg_mr(to->pd, in, sizeof(in), IBV_ACCESS_LOCAL_WRITE);
	struct ibv_sge sge_out = {(uintptr_t)out, sizeof(out), mr_out->lkey};
	struct ibv_sge sge_in = {(uintptr_t)in, sizeof(in), mr_in->lkey};
	struct ibv_recv_wr recv = {.sg_list = &sge_in, .num_sge = 1}, *bad_recv;
	struct ibv_send_wr send = {.sg_list = &sge_out,
				   .num_sge = 1,
				   .opcode = IBV_WR_SEND,
				   .send_flags = IBV_SEND_SIGNALED},
			   *bad_send;

	memset(in, 0, sizeof(in));
	CHECK(!ibv_post_recv(to->qp, &recv, &bad_recv));
	CHECK(!ibv_post_send(from->qp, &send, &bad_send));
	CHECK(completes(to->recv_cq) && !strcmp(in, out));
	CHECK(completes(from->send_cq));
	ibv_dereg_mr(mr_out);
	ibv_dereg_mr(mr_in);
}

static void check_request(const struct seen *s)
{
	CHECK_EQ(s->conn.private_data_len, REQ_PRIVATE);
	CHECK(!memcmp(s->data, "hello", 6));
	CHECK(s->conn.initiator_depth == 2 && s->conn.responder_resources == 3);
	CHECK(s->conn.retry_count == 5 && s->conn.rnr_retry_count == 6);
}

static void test_connect(void)
{
	struct rdma_conn_param param = {.private_data = "hello",
					.private_data_len = 6,
					.responder_resources = 2,
					.initiator_depth = 3,
					.retry_count = 5,
					.rnr_retry_count = 6};
	struct rdma_conn_param answer = {.private_data = "welcome",
					 .private_data_len = 8,
					 .responder_resources = 1,
					 .initiator_depth = 1};
	struct seen seen = {0};
	struct link l;

	link_open(&l, RDMA_PS_TCP);
	l.active = routed(l.active_ch, RDMA_PS_TCP, "127.0.0.1", l.port);
	CHECK(!make_qp(l.active));
	CHECK(!rdma_connect(l.active, &param));
	EXPECT(l.passive_ch, CONNECT_REQUEST, 0, &seen);
	check_request(&seen);
	l.passive = seen.id;
	CHECK_EQ(seen.conn.qp_num, l.active->qp->qp_num);
	CHECK_EQ(rdma_get_dst_port(l.passive), rdma_get_src_port(l.active));
	CHECK_EQ(rdma_get_src_port(l.passive), htons(l.port));
	CHECK(l.passive->verbs && l.passive->port_num == l.active->port_num);
	CHECK(!make_qp(l.passive));
	CHECK(!rdma_accept(l.passive, &answer));
	EXPECT(l.active_ch, ESTABLISHED, 0, &seen);
	CHECK(seen.conn.private_data_len == REP_PRIVATE && !memcmp(seen.data, "welcome", 8));
	EXPECT(l.passive_ch, ESTABLISHED, 0, NULL);
	send_and_receive(l.active, l.passive);
	send_and_receive(l.passive, l.active);
	CHECK(!rdma_disconnect(l.active));
	EXPECT(l.passive_ch, DISCONNECTED, 0, NULL);
	CHECK(!rdma_disconnect(l.passive));
	EXPECT(l.active_ch, DISCONNECTED, 0, NULL);
	EXPECT(l.active_ch, TIMEWAIT_EXIT, 0, NULL);
	EXPECT(l.passive_ch, TIMEWAIT_EXIT, 0, NULL);
	link_close(&l);
}

static void test_reject(void)
{
	struct seen seen = {0};
	struct link l;

	link_open(&l, RDMA_PS_TCP);
	link_request(&l, "127.0.0.1");
	CHECK(!rdma_reject(l.passive, "no", 3));
	EXPECT(l.active_ch, REJECTED, CONSUMER_REJECT, &seen);
	CHECK(seen.conn.private_data_len == REJ_PRIVATE && !memcmp(seen.data, "no", 3));
	/* It is over: nothing more can be said. */
	CHECK_ERRNO(rdma_reject(l.passive, NULL, 0), EINVAL);
	link_close(&l);
}

static void test_nobody(void)
{
	struct rdma_event_channel *const ch = rdma_create_event_channel();
	struct rdma_conn_param param = {.retry_count = 7};
	struct rdma_cm_id *id, *unused;
	uint16_t port;

	/* A port that was just given back. */
	unused = listener(ch, RDMA_PS_TCP, 1, &port);
	CHECK(!rdma_destroy_id(unused));
	id = routed(ch, RDMA_PS_TCP, "127.0.0.1", port);
	CHECK(!make_qp(id));
	CHECK(!rdma_connect(id, &param));
	EXPECT(ch, REJECTED, INVALID_SERVICE_ID, NULL);
	rdma_destroy_qp(id);
	CHECK(!rdma_destroy_id(id));
	/* No such host. */
	id = routed(ch, RDMA_PS_TCP, NOBODY, port);
	CHECK(!make_qp(id));
	CHECK(!rdma_connect(id, &param));
	EXPECT(ch, UNREACHABLE, -ETIMEDOUT, NULL);
	rdma_destroy_qp(id);
	CHECK(!rdma_destroy_id(id));
	rdma_destroy_event_channel(ch);
}

/* An identifier that is destroyed says so to the peer. */
static void test_destroy(void)
{
	struct link l;

	link_open(&l, RDMA_PS_TCP);
	link_request(&l, "127.0.0.1");
	CHECK(!rdma_destroy_id(l.passive));
	l.passive = NULL;
	EXPECT(l.active_ch, REJECTED, CONSUMER_REJECT, NULL);
	link_close(&l);

	link_open(&l, RDMA_PS_TCP);
	link_request(&l, "127.0.0.1");
	link_establish(&l);
	rdma_destroy_qp(l.active);
	CHECK(!rdma_destroy_id(l.active));
	l.active = NULL;
	EXPECT(l.passive_ch, DISCONNECTED, 0, NULL);
	link_close(&l);
}

/* The listener goes while a request waits to be read. */
static void test_unread_request(void)
{
	struct rdma_conn_param param = {.retry_count = 7};
	struct link l;

	link_open(&l, RDMA_PS_TCP);
	l.active = routed(l.active_ch, RDMA_PS_TCP, "127.0.0.1", l.port);
	CHECK(!make_qp(l.active));
	CHECK(!rdma_connect(l.active, &param));
	CHECK(ready(l.passive_ch, DEADLINE_MS));
	CHECK(!rdma_destroy_id(l.listen));
	l.listen = NULL;
	CHECK(!ready(l.passive_ch, 0));
	EXPECT(l.active_ch, REJECTED, CONSUMER_REJECT, NULL);
	link_close(&l);
}

/* More requests than the backlog takes come again until there is room. */
static void test_backlog(void)
{
	enum { N = 3 };
	struct rdma_event_channel *const ch = rdma_create_event_channel();
	struct rdma_event_channel *const active_ch = rdma_create_event_channel();
	struct rdma_conn_param param = {.retry_count = 7};
	struct rdma_cm_id *active[N], *passive[N], *l;
	struct seen seen = {0};
	uint16_t port;

	l = listener(ch, RDMA_PS_TCP, 1, &port);
	for (int i = 0; i < N; i++) {
		active[i] = routed(active_ch, RDMA_PS_TCP, "127.0.0.1", port);
		CHECK(!make_qp(active[i]));
	}
	for (int i = 0; i < N; i++)
		CHECK(!rdma_connect(active[i], &param));
	for (int i = 0; i < N; i++) {
		EXPECT(ch, CONNECT_REQUEST, 0, &seen);
		passive[i] = seen.id;
	}
	CHECK(passive[0] != passive[1] && passive[1] != passive[2]);
	for (int i = 0; i < N; i++) {
		CHECK(!rdma_destroy_id(passive[i]));
		EXPECT(active_ch, REJECTED, CONSUMER_REJECT, NULL);
	}
	for (int i = 0; i < N; i++) {
		rdma_destroy_qp(active[i]);
		CHECK(!rdma_destroy_id(active[i]));
	}
	CHECK(!rdma_destroy_id(l));
	rdma_destroy_event_channel(active_ch);
	rdma_destroy_event_channel(ch);
}

/* Data before the RTU: the application tells the connection manager. */
static void test_notify(void)
{
	struct rdma_conn_param param = {.responder_resources = 1, .initiator_depth = 1};
	struct link l;

	link_open(&l, RDMA_PS_TCP);
	link_request(&l, "127.0.0.1");
	CHECK_ERRNO(rdma_notify(l.passive, IBV_EVENT_COMM_EST), EINVAL);
	CHECK(!make_qp(l.passive));
	CHECK(!rdma_accept(l.passive, &param));
	/* The active side sends its RTU when it reads its event: not yet. */
	CHECK(!rdma_notify(l.passive, IBV_EVENT_COMM_EST));
	EXPECT(l.passive_ch, ESTABLISHED, 0, NULL);
	CHECK_ERRNO(rdma_notify(l.passive, IBV_EVENT_COMM_EST), EISCONN);
	CHECK_ERRNO(rdma_notify(l.passive, IBV_EVENT_QP_FATAL), EINVAL);
	EXPECT(l.active_ch, ESTABLISHED, 0, NULL);
	CHECK(!ready(l.passive_ch, 100));
	link_close(&l);
}

/* Calls that come at the wrong time. */
static void test_order(void)
{
	struct rdma_event_channel *const ch = rdma_create_event_channel();
	struct sockaddr_in any = address(NULL, 0), to = address(NOBODY, 1);
	struct rdma_conn_param param = {.retry_count = 7};
	struct rdma_cm_id *const id = new_id(ch, RDMA_PS_TCP);
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTR};
	uint8_t tos = 8;
	int mask, on = 1;

	CHECK_ERRNO(rdma_disconnect(id), EINVAL);
	CHECK_ERRNO(rdma_init_qp_attr(id, &attr, &mask), EINVAL);
	CHECK(!rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, &tos, sizeof(tos)));
	CHECK_ERRNO(rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_TOS, &on, sizeof(on)),
		    EINVAL);
	CHECK_ERRNO(rdma_set_option(id, RDMA_OPTION_ID, 77, &on, sizeof(on)), ENOSYS);
	CHECK_ERRNO(rdma_set_option(id, 77, 0, &on, sizeof(on)), ENOSYS);
	CHECK(!rdma_bind_addr(id, sa(&any)));
	CHECK_ERRNO(rdma_bind_addr(id, sa(&any)), EINVAL);
	CHECK(!rdma_resolve_addr(id, NULL, sa(&to), RESOLVE_MS));
	EXPECT(ch, ADDR_RESOLVED, 0, NULL);
	CHECK(id->verbs && id->pd);
	CHECK_ERRNO(rdma_resolve_addr(id, NULL, sa(&to), RESOLVE_MS), EINVAL);
	CHECK_ERRNO(rdma_listen(id, 1), EINVAL);
	CHECK(!make_qp(id));
	CHECK_ERRNO(rdma_connect(id, &param), EINVAL);
	CHECK(!rdma_resolve_route(id, RESOLVE_MS));
	EXPECT(ch, ROUTE_RESOLVED, 0, NULL);
	CHECK_ERRNO(rdma_resolve_route(id, RESOLVE_MS), EINVAL);
	/* More private data than a REQ has room for. */
	param.private_data = &param;
	param.private_data_len = REQ_PRIVATE + 1;
	CHECK_ERRNO(rdma_connect(id, &param), EINVAL);
	rdma_destroy_qp(id);
	CHECK(!rdma_destroy_id(id));
	rdma_destroy_event_channel(ch);
}

/* ---- ports and addresses ---- */

static void test_ports(void)
{
	struct rdma_event_channel *const ch = rdma_create_event_channel();
	struct rdma_cm_id *a, *b, *c;
	struct sockaddr_in addr, own, foreign = address(NOBODY, 0);
	uint16_t port;
	int on = 1;

	a = listener(ch, RDMA_PS_TCP, 1, &port);
	addr = address(NULL, port);
	b = new_id(ch, RDMA_PS_TCP);
	CHECK_ERRNO(rdma_bind_addr(b, sa(&addr)), EADDRNOTAVAIL);
	CHECK_ERRNO(rdma_bind_addr(b, sa(&foreign)), EADDRNOTAVAIL);
	/* Another port space has its own ports. */
	c = new_id(ch, RDMA_PS_UDP);
	CHECK(!rdma_bind_addr(c, sa(&addr)));
	CHECK(!rdma_destroy_id(c));
	CHECK(!rdma_destroy_id(a));
	/* Given back, it can be had. Our own address: from a resolution. */
	c = routed(ch, RDMA_PS_TCP, NOBODY, port);
	memcpy(&own, rdma_get_local_addr(c), sizeof(own));
	CHECK(!rdma_destroy_id(c));
	own.sin_port = htons(port);
	CHECK(!rdma_bind_addr(b, sa(&own)));
	CHECK(b->verbs && b->port_num);
	a = new_id(ch, RDMA_PS_TCP);
	CHECK_ERRNO(rdma_bind_addr(a, sa(&own)), EADDRINUSE);
	CHECK(!rdma_set_option(a, RDMA_OPTION_ID, RDMA_OPTION_ID_REUSEADDR, &on, sizeof(on)));
	CHECK_ERRNO(rdma_bind_addr(a, sa(&own)), EADDRINUSE);
	CHECK(!rdma_set_option(b, RDMA_OPTION_ID, RDMA_OPTION_ID_REUSEADDR, &on, sizeof(on)));
	CHECK(!rdma_bind_addr(a, sa(&own)));
	/* Both may be bound, but not both may listen. */
	CHECK_ERRNO(rdma_listen(a, 1), EADDRINUSE);
	CHECK(!rdma_destroy_id(a));
	CHECK(!rdma_listen(b, 1));
	CHECK(!rdma_destroy_id(b));
	rdma_destroy_event_channel(ch);
}

static void test_ipv6(void)
{
	struct sockaddr_in6 to = {.sin6_family = AF_INET6};
	struct rdma_conn_param param = {.retry_count = 7};
	struct sockaddr_in6 any = {.sin6_family = AF_INET6};
	struct seen seen = {0};
	struct link l;

	memset(&l, 0, sizeof(l));
	l.active_ch = rdma_create_event_channel();
	l.passive_ch = rdma_create_event_channel();
	l.listen = new_id(l.passive_ch, RDMA_PS_TCP);
	CHECK(!rdma_bind_addr(l.listen, (struct sockaddr *)&any));
	CHECK(!rdma_listen(l.listen, 1));
	to.sin6_addr = in6addr_loopback;
	to.sin6_port = rdma_get_src_port(l.listen);
	l.active = new_id(l.active_ch, RDMA_PS_TCP);
	CHECK(!rdma_resolve_addr(l.active, NULL, (struct sockaddr *)&to, RESOLVE_MS));
	EXPECT(l.active_ch, ADDR_RESOLVED, 0, NULL);
	CHECK(!rdma_resolve_route(l.active, RESOLVE_MS));
	EXPECT(l.active_ch, ROUTE_RESOLVED, 0, NULL);
	CHECK(!make_qp(l.active));
	CHECK(!rdma_connect(l.active, &param));
	EXPECT(l.passive_ch, CONNECT_REQUEST, 0, &seen);
	l.passive = seen.id;
	CHECK_EQ(rdma_get_peer_addr(l.passive)->sa_family, AF_INET6);
	link_establish(&l);
	link_close(&l);
}

/* ---- what the queue pair is told ---- */

static void test_qp_attr(void)
{
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTR};
	struct ibv_port_attr port;
	struct link l;
	int mask = 0;

	link_open(&l, RDMA_PS_TCP);
	link_request(&l, "127.0.0.1");
	CHECK(!ibv_query_port(l.passive->verbs, l.passive->port_num, &port));
	CHECK(!rdma_init_qp_attr(l.passive, &attr, &mask));
	CHECK(mask == (IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
		       IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
	CHECK_EQ(attr.path_mtu, port.active_mtu);
	CHECK_EQ(attr.dest_qp_num, l.active->qp->qp_num);
	CHECK_EQ(attr.max_dest_rd_atomic, 3);
	CHECK_EQ(attr.ah_attr.port_num, l.passive->port_num);
	if (port.link_layer == IBV_LINK_LAYER_ETHERNET)
		CHECK(attr.ah_attr.is_global && attr.ah_attr.grh.hop_limit > 1);
	else
		CHECK(!attr.ah_attr.is_global && attr.ah_attr.dlid == port.lid);
	attr.qp_state = IBV_QPS_RTS;
	CHECK(!rdma_init_qp_attr(l.passive, &attr, &mask));
	CHECK(mask == (IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
		       IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_TIMEOUT));
	CHECK(attr.retry_cnt == 5 && attr.rnr_retry == 6 && attr.max_rd_atomic == 2);
	CHECK(attr.timeout >= 15 && attr.timeout <= 20);
	/* The other side does not know its peer yet. */
	attr.qp_state = IBV_QPS_RTR;
	CHECK_ERRNO(rdma_init_qp_attr(l.active, &attr, &mask), EINVAL);
	link_close(&l);
}

/* ---- datagrams ---- */

static void test_datagram(void)
{
	struct rdma_conn_param answer = {.private_data = "here", .private_data_len = 5};
	struct rdma_conn_param param = {.private_data = "where", .private_data_len = 6};
	struct seen seen = {0};
	struct link l;

	link_open(&l, RDMA_PS_UDP);
	l.active = routed(l.active_ch, RDMA_PS_UDP, "127.0.0.1", l.port);
	CHECK(!make_qp(l.active));
	CHECK(!rdma_connect(l.active, &param));
	EXPECT(l.passive_ch, CONNECT_REQUEST, 0, &seen);
	CHECK(seen.ud.private_data_len == SIDR_REQ_PRIVATE && !memcmp(seen.data, "where", 6));
	l.passive = seen.id;
	CHECK(!make_qp(l.passive));
	answer.qp_num = l.passive->qp->qp_num;
	CHECK(!rdma_accept(l.passive, &answer));
	EXPECT(l.active_ch, ESTABLISHED, 0, &seen);
	CHECK(seen.ud.private_data_len == SIDR_REP_PRIVATE && !memcmp(seen.data, "here", 5));
	CHECK(seen.ud.qp_num == l.passive->qp->qp_num && seen.ud.qkey == RDMA_UDP_QKEY);
	CHECK_EQ(seen.ud.ah_attr.port_num, l.active->port_num);
	link_close(&l);

	link_open(&l, RDMA_PS_UDP);
	l.active = routed(l.active_ch, RDMA_PS_UDP, "127.0.0.1", l.port);
	CHECK(!make_qp(l.active));
	CHECK(!rdma_connect(l.active, &param));
	EXPECT(l.passive_ch, CONNECT_REQUEST, 0, &seen);
	l.passive = seen.id;
	CHECK(!rdma_reject(l.passive, "no", 3));
	EXPECT(l.active_ch, UNREACHABLE, 2, NULL);
	link_close(&l);
}

static void test_multicast(void)
{
	struct rdma_event_channel *const ch = rdma_create_event_channel();
	struct sockaddr_in group = address("224.0.7.9", 0);
	struct rdma_cm_id *const id = new_id(ch, RDMA_PS_UDP);
	struct rdma_cm_id *const unbound = new_id(ch, RDMA_PS_UDP);
	struct seen seen = {0};

	CHECK_ERRNO(rdma_join_multicast(unbound, sa(&group), NULL), EINVAL);
	CHECK(!rdma_resolve_addr(id, NULL, sa(&group), RESOLVE_MS));
	EXPECT(ch, ADDR_RESOLVED, 0, NULL);
	CHECK(!make_qp(id));
	CHECK(!rdma_join_multicast(id, sa(&group), &group));
	EXPECT(ch, MULTICAST_JOIN, 0, &seen);
	CHECK(seen.ud.qp_num == 0xffffff && seen.ud.qkey == RDMA_UDP_QKEY);
	CHECK(seen.ud.ah_attr.is_global);
	CHECK(!rdma_leave_multicast(id, sa(&group)));
	CHECK_ERRNO(rdma_leave_multicast(id, sa(&group)), EADDRNOTAVAIL);
	rdma_destroy_qp(id);
	CHECK(!rdma_destroy_id(id));
	CHECK(!rdma_destroy_id(unbound));
	rdma_destroy_event_channel(ch);
}

/* ---- channels ---- */

static void test_channel(void)
{
	struct rdma_event_channel *ch = rdma_create_event_channel();
	struct rdma_event_channel *const other = rdma_create_event_channel();
	struct sockaddr_in to = address(NOBODY, 1);
	struct rdma_cm_id *const id = new_id(ch, RDMA_PS_TCP);
	struct rdma_cm_event *e;
	int copy;

	CHECK(!fcntl(ch->fd, F_SETFL, fcntl(ch->fd, F_GETFL) | O_NONBLOCK));
	CHECK(!ready(ch, 0));
	CHECK_ERRNO(rdma_get_cm_event(ch, &e), EAGAIN);
	CHECK(!rdma_resolve_addr(id, NULL, sa(&to), RESOLVE_MS));
	CHECK(ready(ch, DEADLINE_MS));
	/* Unread events move along. */
	CHECK(!rdma_migrate_id(id, other));
	CHECK(!ready(ch, 0));
	CHECK_ERRNO(rdma_get_cm_event(ch, &e), EAGAIN);
	EXPECT(other, ADDR_RESOLVED, 0, NULL);
	/* The channel lives as long as any fd of it. */
	copy = dup(other->fd);
	close(other->fd);
	other->fd = copy;
	CHECK(!rdma_resolve_route(id, RESOLVE_MS));
	EXPECT(other, ROUTE_RESOLVED, 0, NULL);
	CHECK(!rdma_destroy_id(id));
	rdma_destroy_event_channel(ch);
	rdma_destroy_event_channel(other);
}

/* Closing a channel ends what hangs on it. */
static void test_close(void)
{
	struct link l;

	link_open(&l, RDMA_PS_TCP);
	link_request(&l, "127.0.0.1");
	link_establish(&l);
	close(l.active_ch->fd);
	EXPECT(l.passive_ch, DISCONNECTED, 0, NULL);
	/* librdmacm's own memory stays: there is no way to give it back now. */
}

static void *synchronous_server(void *arg)
{
	struct rdma_cm_id *const listen_id = arg;
	struct rdma_cm_id *id;

	CHECK(!rdma_get_request(listen_id, &id));
	CHECK(!rdma_accept(id, NULL));
	CHECK(!rdma_disconnect(id));
	rdma_destroy_ep(id);
	return NULL;
}

/* Identifiers without a channel wait in every call. */
static void test_synchronous(void)
{
	struct rdma_addrinfo hints = {.ai_flags = RAI_PASSIVE, .ai_port_space = RDMA_PS_TCP};
	struct ibv_qp_init_attr init = {.cap = {4, 4, 1, 1, 0}}, init2 = init;
	struct rdma_addrinfo *res;
	struct rdma_cm_id *listen_id, *id;
	pthread_t server;
	char port[8];

	CHECK(!rdma_getaddrinfo(NULL, "0", &hints, &res));
	CHECK(!rdma_create_ep(&listen_id, res, NULL, &init));
	rdma_freeaddrinfo(res);
	CHECK(!rdma_listen(listen_id, 4));
	snprintf(port, sizeof(port), "%u", ntohs(rdma_get_src_port(listen_id)));
	pthread_create(&server, NULL, synchronous_server, listen_id);
	hints.ai_flags = 0;
	CHECK(!rdma_getaddrinfo("127.0.0.1", port, &hints, &res));
	CHECK(!rdma_create_ep(&id, res, NULL, &init2));
	rdma_freeaddrinfo(res);
	CHECK(!rdma_connect(id, NULL));
	/* Both at the same time: whoever is first, each sees the end. */
	CHECK(!rdma_disconnect(id));
	pthread_join(server, NULL);
	rdma_destroy_ep(id);
	rdma_destroy_ep(listen_id);
}

#define THREADS 4

static void *one_thread(void *arg)
{
	(void)arg;
	for (int i = 0; i < 3; i++) {
		struct link l;

		link_open(&l, RDMA_PS_TCP);
		link_request(&l, "127.0.0.1");
		link_establish(&l);
		link_close(&l);
	}
	return NULL;
}

static void test_threads(void)
{
	pthread_t id[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&id[i], NULL, one_thread, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(id[i], NULL);
}

/* ---- processes ---- */

/* A child may use no channel of its parent, however little it writes, and none that it has from
 * there by another number; its own work. */
static int child_of(const struct link *l)
{
	const int copy = dup(l->active_ch->fd);
	struct rdma_event_channel *const own = rdma_create_event_channel();
	struct rdma_cm_id *id;

	CHECK(rdma_create_id(l->active_ch, &id, NULL, RDMA_PS_TCP) == -1 && errno == EACCES);
	CHECK(write(copy, "", 1) == -1 && errno == EACCES);
	CHECK(own && !rdma_create_id(own, &id, NULL, RDMA_PS_TCP) && !rdma_destroy_id(id));
	close(copy);
	close(l->active_ch->fd);
	return failures;
}

/* A child changes nothing for the parent, and ends. */
static void test_fork(void)
{
	struct link l;
	pid_t pid;
	int status = -1;

	link_open(&l, RDMA_PS_TCP);
	link_request(&l, "127.0.0.1");
	link_establish(&l);
	pid = fork();
	if (!pid)
		exit(child_of(&l));
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	CHECK(!ready(l.active_ch, 50) && !ready(l.passive_ch, 50));
	send_and_receive(l.active, l.passive);
	link_close(&l);
}

/* rdmacm_client --child PORT exit|kill: connects to a server and ends without a word. */
static int child_client(const char *port, const char *how)
{
	struct rdma_event_channel *const ch = rdma_create_event_channel();
	struct rdma_conn_param param = {.retry_count = 7};
	struct rdma_cm_id *id;

	id = routed(ch, RDMA_PS_TCP, "127.0.0.1", (uint16_t)atoi(port));
	CHECK(!make_qp(id));
	CHECK(!rdma_connect(id, &param));
	EXPECT(ch, ESTABLISHED, 0, NULL);
	if (!strcmp(how, "kill"))
		raise(SIGKILL);
	return failures;
}

static pid_t start_child(uint16_t port, const char *how)
{
	const pid_t pid = fork();
	char text[8];

	if (pid)
		return pid;
	snprintf(text, sizeof(text), "%u", port);
	execl("/proc/self/exe", "rdmacm_client", "--child", text, how, (char *)NULL);
	_exit(127);
}

/* The next process takes the address that a dead one had. */
static int succeed(struct rdma_cm_id *id)
{
	struct sockaddr_in addr = *(struct sockaddr_in *)rdma_get_peer_addr(id);
	const int fd = socket(AF_INET, SOCK_DGRAM, 0);

	addr.sin_port = htons(4791);
	CHECK(!bind(fd, (struct sockaddr *)&addr, sizeof(addr)) || errno == EADDRINUSE);
	return fd;
}

/* Another process is another host; the connection manager notices when it has ended. */
static void test_death(void)
{
	static const char *const how[] = {"kill", "exit", "kill"};

	for (int i = 0; i < 3; i++) {
		struct rdma_conn_param param = {.responder_resources = 1};
		struct seen seen = {0};
		struct link l;
		int status, successor = -1;
		pid_t pid;

		link_open(&l, RDMA_PS_TCP);
		pid = start_child(l.port, how[i]);
		EXPECT(l.passive_ch, CONNECT_REQUEST, 0, &seen);
		l.passive = seen.id;
		CHECK(!make_qp(l.passive));
		CHECK(!rdma_accept(l.passive, &param));
		EXPECT(l.passive_ch, ESTABLISHED, 0, NULL);
		if (i == 2) {
			CHECK_EQ(waitpid(pid, &status, 0), pid);
			successor = succeed(l.passive);
		}
		EXPECT(l.passive_ch, DISCONNECTED, 0, NULL);
		CHECK(i == 2 || waitpid(pid, &status, 0) == pid);
		CHECK(i == 1 ? status == 0 : WIFSIGNALED(status));
		close(successor);
		link_close(&l);
	}
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
	{"connect", test_connect},	 {"reject", test_reject},
	{"nobody", test_nobody},	 {"destroy", test_destroy},
	{"unread", test_unread_request}, {"backlog", test_backlog},
	{"notify", test_notify},	 {"order", test_order},
	{"ports", test_ports},		 {"ipv6", test_ipv6},
	{"qp_attr", test_qp_attr},	 {"datagram", test_datagram},
	{"multicast", test_multicast},	 {"channel", test_channel},
	{"close", test_close},		 {"synchronous", test_synchronous},
	{"threads", test_threads},	 {"fork", test_fork},
	{"death", test_death},
};

static bool wanted(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return true;
	return argc == 1;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "--child"))
		return child_client(argv[2], argv[3]);
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		const int before = failures;

		if (!wanted(tests[i].name, argc, argv))
			continue;
		tests[i].run();
		printf("%s %s\n", failures == before ? "ok  " : "FAIL", tests[i].name);
		fflush(stdout);
	}
	return failures ? 1 : 0;
}
