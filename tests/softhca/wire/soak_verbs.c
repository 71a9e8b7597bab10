/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two processes, each requester and responder at once, over plain libibverbs:
 * a stream of sends, writes, reads and atomics of random sizes. Every byte, every
 * immediate and every atomic result is checked, every completion must come exactly
 * once and in order. Run it below a fault plan to see what the device makes of it.
 * What UC and UD must do: soak_lossy.c.
 *
 * usage: softhca [--faults PLAN] soak_verbs rc|srq|xrc|dc|uc|ud OPERATIONS SEED [twice|all]
 *        (twice: the plan duplicates packets; all: there is no plan, even UC and UD must lose
 * nothing)
 */
#include "soak.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void soak_die(const char *what)
{
	fprintf(stderr, "soak_verbs: %s: %s\n", what, strerror(errno));
	exit(1);
}

void soak_check(bool ok, const char *what, uint64_t n)
{
	if (ok)
		return;
	fprintf(stderr, "soak_verbs: operation %" PRIu64 ": %s\n", n, what);
	exit(1);
}

uint64_t soak_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

void soak_fill(uint8_t *p, uint32_t len, uint64_t id)
{
	uint64_t x = id + 1;

	for (uint32_t i = 0; i < len; i += 8) {
		const uint64_t v = soak_random(&x);

		memcpy(p + i, &v, len - i < 8 ? len - i : 8);
	}
}

bool soak_filled(const uint8_t *p, uint32_t len, uint64_t id)
{
	uint64_t x = id + 1;

	for (uint32_t i = 0; i < len; i += 8) {
		const uint64_t v = soak_random(&x);

		if (memcmp(p + i, &v, len - i < 8 ? len - i : 8))
			return false;
	}
	return true;
}

/* Kinds come in the order in which fewer and fewer transports have them. */
static unsigned int kinds_of(enum soak_mode mode)
{
	switch (mode) {
	case UD:
		return SEND_IMM + 1;
	case UC:
		return WRITE_IMM + 1;
	case XRC:
	case DC:
		return SWAP + 1;
	default:
		return SEND_INV + 1;
	}
}

static bool is_atomic(enum kind kind)
{
	return kind >= ADD && kind <= MASKED_SWAP;
}

static bool takes_receive(enum kind kind)
{
	return kind == SEND || kind == SEND_IMM || kind == WRITE_IMM || kind == SEND_INV;
}

static uint32_t draw_length(enum soak_mode mode, uint64_t r)
{
	if (mode == UD)
		return 8 + (uint32_t)(r >> 16) % (MTU - 7);
	if (r >> 8 & 7)
		return (mode == UC ? 8 : 0) + (uint32_t)(r >> 16) % 257;
	return 8 + (uint32_t)(r >> 16) % ((r >> 11 & 15 ? 16384 : SLOT) - 7);
}

struct op soak_draw(enum soak_mode mode, uint64_t *random)
{
	const uint64_t r = soak_random(random);
	struct op op = {.kind = (enum kind)(r % kinds_of(mode))};

	op.len = is_atomic(op.kind) ? 8 : draw_length(mode, r);
	op.is_inline = op.len <= MAX_INLINE && !is_atomic(op.kind) && op.kind != READ &&
		       r >> 60 & 1;
	return op;
}

/* ---- posting ---- */

uint64_t soak_remote(const struct side *s, const void *in_peers_memory)
{
	return s->peer.base +
	       (uint64_t)((const uint8_t *)in_peers_memory - (const uint8_t *)s->peers);
}

static const enum ibv_wr_opcode opcodes[] = {
	[SEND] = IBV_WR_SEND,
	[SEND_IMM] = IBV_WR_SEND_WITH_IMM,
	[WRITE] = IBV_WR_RDMA_WRITE,
	[WRITE_IMM] = IBV_WR_RDMA_WRITE_WITH_IMM,
	[READ] = IBV_WR_RDMA_READ,
	[ADD] = IBV_WR_ATOMIC_FETCH_AND_ADD,
	[SWAP] = IBV_WR_ATOMIC_CMP_AND_SWP,
	[SEND_INV] = IBV_WR_SEND_WITH_INV,
};

static void post_dc(struct side *s, const struct ibv_send_wr *wr, const struct op *op)
{
	struct ibv_qp_ex *const qp = ibv_qp_to_qp_ex(s->qp);
	const uint32_t rkey = s->peer.rkey;

	ibv_wr_start(qp);
	qp->wr_id = wr->wr_id;
	qp->wr_flags = IBV_SEND_SIGNALED;
	switch (op->kind) {
	case SEND:
		ibv_wr_send(qp);
		break;
	case SEND_IMM:
		ibv_wr_send_imm(qp, wr->imm_data);
		break;
	case WRITE:
		ibv_wr_rdma_write(qp, rkey, wr->wr.rdma.remote_addr);
		break;
	case WRITE_IMM:
		ibv_wr_rdma_write_imm(qp, rkey, wr->wr.rdma.remote_addr, wr->imm_data);
		break;
	case READ:
		ibv_wr_rdma_read(qp, rkey, wr->wr.rdma.remote_addr);
		break;
	case ADD:
		ibv_wr_atomic_fetch_add(qp, rkey, wr->wr.atomic.remote_addr,
					wr->wr.atomic.compare_add);
		break;
	default:
		ibv_wr_atomic_cmp_swp(qp, rkey, wr->wr.atomic.remote_addr,
				      wr->wr.atomic.compare_add, wr->wr.atomic.swap);
		break;
	}
	mlx5dv_wr_set_dc_addr(mlx5dv_qp_ex_from_ibv_qp_ex(qp), s->ah, s->peer.tgt_qpn, DC_KEY);
	if (op->is_inline)
		ibv_wr_set_inline_data(qp, (void *)(uintptr_t)wr->sg_list->addr,
				       wr->sg_list->length);
	else
		ibv_wr_set_sge(qp, wr->sg_list->lkey, wr->sg_list->addr, wr->sg_list->length);
	errno = ibv_wr_complete(qp);
	if (errno)
		soak_die("ibv_wr_complete");
}

/* libibverbs has no masked atomics: the WQE itself, 64 bits wide (opmod 9). */
static void post_masked(struct side *s, uint64_t wr_id, struct op *op, uint64_t local)
{
	const bool add = op->kind == MASKED_ADD;
	struct ibv_qp_ex *const qp = ibv_qp_to_qp_ex(s->qp);
	struct {
		struct mlx5_wqe_ctrl_seg ctrl;
		struct mlx5_wqe_raddr_seg raddr;
		uint64_t rest[6];
	} wqe;
	struct mlx5_wqe_data_seg data;
	size_t words = add ? 2 : 4;

	memset(&wqe, 0, sizeof(wqe));
	mlx5dv_set_ctrl_seg(&wqe.ctrl, 0,
			    add ? MLX5_OPCODE_ATOMIC_MASKED_FA : MLX5_OPCODE_ATOMIC_MASKED_CS, 9,
			    s->qp->qp_num, MLX5_WQE_CTRL_CQ_UPDATE, add ? 4 : 5, 0, 0);
	wqe.raddr.raddr = htobe64(soak_remote(s, &s->peers->cells[add ? 2 : 3]));
	wqe.raddr.rkey = htobe32(s->peer.rkey);
	if (add) {
		/* Two counters in one word: no carry from the lower one. */
		const uint64_t n = s->masked_added++;

		op->expect = (uint32_t)(n * 0x40000003u) | (uint64_t)(uint32_t)(n * 0x50000005u)
								   << 32;
		wqe.rest[0] = htobe64(UINT64_C(0x5000000540000003));
		wqe.rest[1] = htobe64(UINT64_C(0x8000000080000000));
	} else {
		/* Only the lower half counts; what stands in the upper one must not matter. */
		const uint64_t n = s->masked_swapped++ & UINT32_MAX;

		op->expect = n;
		wqe.rest[0] = htobe64(((n + 1) & UINT32_MAX) | UINT64_C(0xabcdef) << 32);
		wqe.rest[1] = htobe64(n | UINT64_C(0x123456) << 32);
		wqe.rest[2] = wqe.rest[3] = htobe64(UINT32_MAX);
	}
	mlx5dv_set_data_seg(&data, 8, s->mr->lkey, local);
	memcpy(&wqe.rest[words], &data, sizeof(data));
	ibv_wr_start(qp);
	qp->wr_id = wr_id;
	qp->wr_flags = IBV_SEND_SIGNALED;
	mlx5dv_wr_raw_wqe(mlx5dv_qp_ex_from_ibv_qp_ex(qp), &wqe);
	errno = ibv_wr_complete(qp);
	if (errno)
		soak_die("mlx5dv_wr_raw_wqe");
}

static void set_target(struct side *s, struct ibv_send_wr *wr, struct op *op, uint32_t slot)
{
	struct memory *const p = s->peers;

	if (op->kind == ADD) {
		wr->wr.atomic.remote_addr = soak_remote(s, &p->cells[0]);
		wr->wr.atomic.compare_add = 3;
		op->expect = s->added;
		s->added += 3;
	} else if (op->kind == SWAP) {
		wr->wr.atomic.remote_addr = soak_remote(s, &p->cells[1]);
		wr->wr.atomic.compare_add = s->swapped;
		wr->wr.atomic.swap = s->swapped + 1;
		op->expect = s->swapped++;
	} else {
		wr->wr.rdma.remote_addr = op->kind == READ
						  ? soak_remote(s, p->fixed + op->id % SLOT)
						  : soak_remote(s, p->written[slot]);
	}
	if (is_atomic(op->kind))
		wr->wr.atomic.rkey = s->peer.rkey;
	else
		wr->wr.rdma.rkey = s->peer.rkey;
}

/* The key of the peer's next window; 0: it has not made it yet. */
static uint32_t take_window(struct side *s)
{
	uint32_t *const key = &s->peers->windows[s->invalidated % WINDOWS];
	const uint32_t rkey = __atomic_exchange_n(key, 0, __ATOMIC_ACQ_REL);

	s->invalidated += rkey != 0;
	return rkey;
}

static void post_drawn(struct side *s)
{
	const uint32_t slot = (uint32_t)(s->next % DEPTH);
	struct op *const op = &s->ops[slot];
	struct ibv_sge sge = {(uintptr_t)s->mine->local[slot], 0, s->mr->lkey};
	struct ibv_send_wr wr = {.wr_id = s->next, .sg_list = &sge, .num_sge = 1}, *bad;

	*op = s->waiting;
	sge.length = op->len;
	wr.opcode = opcodes[op->kind < BIND ? op->kind : SEND];
	wr.send_flags = op->is_inline ? IBV_SEND_INLINE : 0;
	wr.imm_data = htobe32((uint32_t)op->id);
	if (op->kind == READ || is_atomic(op->kind))
		memset(s->mine->local[slot], 0, op->len);
	else
		soak_fill(s->mine->local[slot], op->len, op->id);
	if (op->kind == SEND_INV)
		wr.invalidate_rkey = op->window;
	else
		set_target(s, &wr, op, slot);
	if (op->kind == MASKED_ADD || op->kind == MASKED_SWAP) {
		post_masked(s, wr.wr_id, op, sge.addr);
	} else if (s->mode == DC) {
		post_dc(s, &wr, op);
	} else {
		wr.qp_type.xrc.remote_srqn = s->peer.srqn;
		errno = ibv_post_send(s->qp, &wr, &bad);
		if (errno)
			soak_die("ibv_post_send");
	}
	s->next++;
}

/* The next of the stream. False: it needs a window that the peer has yet to make. */
static bool post_one(struct side *s)
{
	if (!s->is_waiting) {
		s->waiting = soak_draw(s->mode, &s->my_random);
		s->waiting.id = s->drawn++;
		s->is_waiting = true;
	}
	if (s->waiting.kind == SEND_INV) {
		s->waiting.window = take_window(s);
		if (!s->waiting.window)
			return false;
	}
	post_drawn(s);
	s->is_waiting = false;
	return true;
}

/* Windows that were never made or that the peer has invalidated. */
static void bind_windows(struct side *s)
{
	while ((s->mode == RC || s->mode == SRQ) && s->bound < s->recv_invalidated + WINDOWS &&
	       s->next - s->done < DEPTH) {
		const uint32_t i = (uint32_t)(s->bound++ % WINDOWS),
			       slot = (uint32_t)(s->next % DEPTH);
		struct ibv_send_wr wr = {.wr_id = s->next++, .opcode = IBV_WR_BIND_MW}, *bad;

		wr.bind_mw.mw = s->mw[i];
		wr.bind_mw.rkey = ibv_inc_rkey(s->mw[i]->rkey);
		wr.bind_mw.bind_info = (struct ibv_mw_bind_info){
			.mr = s->mr,
			.addr = (uintptr_t)s->mine->written,
			.length = SLOT,
			.mw_access_flags = IBV_ACCESS_REMOTE_WRITE,
		};
		s->ops[slot] = (struct op){.kind = BIND, .window = i};
		errno = ibv_post_send(s->qp, &wr, &bad);
		if (errno)
			soak_die("binding a memory window");
		/* libmlx5 changes the key for type 1 only. */
		s->mw[i]->rkey = wr.bind_mw.rkey;
	}
}

/* ---- checking ---- */

static void check_send(struct side *s, const struct ibv_wc *wc)
{
	const uint32_t slot = (uint32_t)(wc->wr_id % DEPTH);
	const struct op *const op = &s->ops[slot];
	const uint8_t *const local = s->mine->local[slot];
	uint64_t value;

	if (wc->status)
		fprintf(stderr, "soak_verbs: %s, vendor %#x\n", ibv_wc_status_str(wc->status),
			wc->vendor_err);
	soak_check(!wc->status, "failed", op->id);
	soak_check(wc->wr_id == s->done, "completion out of order, missing or twice", op->id);
	s->done++;
	if (op->kind == WRITE || op->kind == WRITE_IMM)
		soak_check(!memcmp(local, s->peers->written[slot], op->len), "write: wrong bytes",
			   op->id);
	if (op->kind == READ)
		soak_check(!memcmp(local, s->peers->fixed + op->id % SLOT, op->len),
			   "read: wrong bytes", op->id);
	if (is_atomic(op->kind)) {
		memcpy(&value, local, sizeof(value));
		soak_check(value == op->expect, "atomic: wrong old value", op->id);
	}
	if (op->kind == BIND)
		__atomic_store_n(&s->mine->windows[op->window], s->mw[op->window]->rkey,
				 __ATOMIC_RELEASE);
}

static void check_invalidated(struct side *s, const struct ibv_wc *wc, uint64_t id)
{
	const uint32_t i = (uint32_t)(s->recv_invalidated++ % WINDOWS);

	soak_check(wc->wc_flags & IBV_WC_WITH_INV && wc->invalidated_rkey == s->mw[i]->rkey,
		   "another key was invalidated", id);
}

static void check_recv(struct side *s, const struct ibv_wc *wc)
{
	struct op op;
	uint64_t id;

	/* The next of the peer's operations that takes a receive. */
	do {
		op = soak_draw(s->mode, &s->peer_random);
		id = s->recv_stream++;
	} while (!takes_receive(op.kind));
	soak_check(!wc->status, "receive failed", id);
	soak_check(s->srq || wc->wr_id == s->recv_done, "receive out of order, missing or twice",
		   id);
	soak_check(wc->byte_len == op.len, "receive: wrong length", id);
	if (op.kind == SEND_INV)
		check_invalidated(s, wc, id);
	if (op.kind == SEND_IMM || op.kind == WRITE_IMM)
		soak_check(wc->imm_data == htobe32((uint32_t)id), "wrong immediate", id);
	if (op.kind != WRITE_IMM)
		soak_check(soak_filled(s->mine->received[wc->wr_id % DEPTH], op.len, id),
			   "send: wrong bytes", id);
	s->recv_done++;
}

static int poll_both(struct side *s)
{
	struct ibv_wc wc[32];
	int n = ibv_poll_cq(s->send_cq, 32, wc), total = n;

	for (int i = 0; i < n; i++)
		check_send(s, &wc[i]);
	n = ibv_poll_cq(s->recv_cq, 32, wc);
	for (int i = 0; i < n; i++)
		check_recv(s, &wc[i]);
	if (n > 0)
		soak_post_receives(s);
	return total + n;
}

/* How many receives the peer's `count` operations take. */
static uint64_t receives_of(enum soak_mode mode, uint64_t random, uint64_t count)
{
	uint64_t n = 0;

	while (count--)
		n += takes_receive(soak_draw(mode, &random).kind);
	return n;
}

static void run(struct side *s, uint64_t count)
{
	const uint64_t receives = receives_of(s->mode, s->peer_random, count);
	uint64_t batch_random = s->my_random ^ 1;
	time_t last = time(NULL);

	while (s->drawn < count || s->is_waiting || s->done < s->next || s->recv_done < receives) {
		uint64_t batch = soak_random(&batch_random) % 17;

		bind_windows(s);
		while (batch-- && (s->drawn < count || s->is_waiting) && s->next - s->done < DEPTH)
			if (!post_one(s))
				break;
		if (poll_both(s))
			last = time(NULL);
		else
			usleep(20);
		soak_check(time(NULL) - last < DEADLINE, "nothing completes any more", s->done);
	}
	for (int i = 0; i < 1000; i++)
		soak_check(!poll_both(s), "a completion too many", s->done);
}

static int one_side(struct side *s, int fd, uint64_t count, enum soak_wire wire)
{
	char sync = 0;

	soak_open(s);
	soak_create(s);
	soak_connect(s, fd);
	soak_post_receives(s);
	soak_exchange(fd, &sync, &sync, 1);
	if (s->mode == UC || s->mode == UD)
		soak_lossy(s, count, wire);
	else
		run(s, count);
	/* The peer may still need our answers. */
	soak_exchange(fd, &sync, &sync, 1);
	soak_check(s->mine->cells[0] % 3 == 0, "the counter is not a multiple of its increments",
		   0);
	return 0;
}

static bool parse_mode(const char *text, enum soak_mode *mode)
{
	static const char *const names[] = {
		[RC] = "rc", [SRQ] = "srq", [XRC] = "xrc", [DC] = "dc", [UC] = "uc", [UD] = "ud",
	};

	for (int i = RC; i <= UD; i++) {
		*mode = (enum soak_mode)i;
		if (!strcmp(text, names[i]))
			return true;
	}
	return false;
}

static enum soak_wire parse_wire(const char *text)
{
	if (!strcmp(text, "all"))
		return WIRE_PERFECT;
	return strcmp(text, "twice") ? WIRE_LOSES : WIRE_DUPLICATES;
}

int main(int argc, char **argv)
{
	struct memory *both = mmap(NULL, 2 * sizeof(*both), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct timespec t0, t1;
	struct side s = {0};
	uint64_t count, seed;
	int fds[2], status;
	pid_t child;

	enum soak_wire wire = WIRE_LOSES;

	if (argc < 4 || !parse_mode(argv[1], &s.mode)) {
		fprintf(stderr,
			"usage: soak_verbs rc|srq|xrc|dc|uc|ud OPERATIONS SEED [twice|all]\n");
		return 2;
	}
	if (argc > 4)
		wire = parse_wire(argv[4]);
	count = strtoull(argv[2], NULL, 0);
	seed = strtoull(argv[3], NULL, 0);
	if (both == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM, 0, fds))
		soak_die("preparing");
	soak_fill(both[0].fixed, sizeof(both[0].fixed), 1u << 30);
	soak_fill(both[1].fixed, sizeof(both[1].fixed), 2u << 30);
	clock_gettime(CLOCK_MONOTONIC, &t0);
	child = fork();
	if (child < 0)
		soak_die("fork");
	s.mine = child ? &both[0] : &both[1];
	s.peers = child ? &both[1] : &both[0];
	s.my_random = seed + (child ? 1 : 1000003);
	s.peer_random = seed + (child ? 1000003 : 1);
	s.me.psn = (uint32_t)s.my_random * 2654435761u & 0xffffff;
	if (!child)
		_exit(one_side(&s, fds[1], count, wire));
	one_side(&s, fds[0], count, wire);
	if (waitpid(child, &status, 0) != child || status) {
		fprintf(stderr, "soak_verbs: the other side failed\n");
		return 1;
	}
	clock_gettime(CLOCK_MONOTONIC, &t1);
	printf("%s: 2 x %" PRIu64 " operations in %.1f s, seed %" PRIu64
	       ": every byte right, every completion once\n",
	       argv[1], count,
	       (double)(t1.tv_sec - t0.tv_sec) + (double)(t1.tv_nsec - t0.tv_nsec) / 1e9, seed);
	return 0;
}
