/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ucx [cold]: UCX's side, uct over rc_mlx5 and dc_mlx5, which posts to a peer in this process and
 * polls. With an argument it does a few operations of RC, each with empty caches. bench.py compiles
 * it if UCX is there, and counts within measured(), up to counted(). Each line has the row of the
 * request, "UCX", and the number of operations. A row is printed only if the first request in UCX's
 * ring has the row's opcode, size, remote address, and length or payload. The bit that asks for a
 * completion may differ, because UCX asks for one now and then.
 */
#include <dlfcn.h>
#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uct/api/uct.h>

#include "tools/bench/ours/bench.h"

#define ROUND_OF 32u
#define POLLS	 16u
#define AM_ID	 5
#define MEMORY	 4096u
#define WAIT_MS	 20000
#define MOST	 64u

static struct {
	uint8_t *buf;
	size_t bytes, stride;
} rings[MOST], cqs[MOST];
static size_t ring_count, cq_count;
static bool cold;

/* Records the rings that UCX asks libmlx5 for. */
int mlx5dv_init_obj(struct mlx5dv_obj *obj, uint64_t type)
{
	static int (*next)(struct mlx5dv_obj *obj, uint64_t type);
	int ret;

	if (!next) {
		void *const library = dlopen("libmlx5.so.1", RTLD_LAZY);
		void *const found = library ? dlvsym(library, "mlx5dv_init_obj", "MLX5_1.2") : NULL;

		memcpy(&next, &found, sizeof(next));
	}
	ret = next(obj, type);
	if (!ret && type & MLX5DV_OBJ_QP && ring_count < MOST) {
		rings[ring_count].buf = obj->qp.out->sq.buf;
		rings[ring_count++].bytes = (size_t)obj->qp.out->sq.wqe_cnt * 64;
	}
	if (!ret && type & MLX5DV_OBJ_CQ && cq_count < MOST) {
		cqs[cq_count].buf = obj->cq.out->buf;
		cqs[cq_count].stride = obj->cq.out->cqe_size;
		cqs[cq_count++].bytes = (size_t)obj->cq.out->cqe_cnt * obj->cq.out->cqe_size;
	}
	return ret;
}

static void must(ucs_status_t status, const char *what)
{
	if (status != UCS_OK) {
		fprintf(stderr, "ucx: %s: %s\n", what, ucs_status_string(status));
		exit(1);
	}
}

static struct {
	ucs_async_context_t *async;
	uct_worker_h worker;
	uct_component_h component;
	uct_md_h md;
	uct_iface_h iface;
	uct_ep_h ep, back;
	uct_mem_h mem;
	uct_rkey_bundle_t rkey;
	uint8_t memory[2][MEMORY] __attribute__((aligned(4096)));
	uct_completion_t done;
	unsigned messages;
} u;

static volatile struct {
	void *buffer;
	uint64_t remote_addr;
	size_t length;
} request;

static void completed(uct_completion_t *self)
{
	(void)self;
}

static ucs_status_t received(void *arg, void *data, size_t length, unsigned flags)
{
	(void)arg;
	(void)data;
	(void)length;
	(void)flags;
	u.messages++;
	return UCS_OK;
}

__attribute__((noinline)) static bool measured(bool (*round)(void))
{
	const bool ok = round();

	__asm__ volatile("");
	return ok;
}

__attribute__((noinline)) static void counted(void)
{
	__asm__ volatile("");
}

static void nap(void)
{
	const struct timespec moment = {.tv_sec = 0, .tv_nsec = 1000000};

	nanosleep(&moment, NULL);
}

/* Waits until all is done on the other side, too. */
static void drain(void)
{
	ucs_status_t status;
	int ms = 0;

	do {
		uct_worker_progress(u.worker);
		status = uct_iface_flush(u.iface, 0, NULL);
		if (status == UCS_INPROGRESS)
			nap();
	} while (status == UCS_INPROGRESS && ms++ < WAIT_MS);
	must(status, "flush");
	for (int i = 0; i < 20; i++) {
		uct_worker_progress(u.worker);
		nap();
	}
}

#define WHOLE_REQUEST                                              \
	{.buffer = request.buffer, .length = request.length, .memh = u.mem, .stride = 0, .count = 1}
#define EACH for (unsigned i = 0; i < ROUND_OF; i++)

static bool put_zcopy(void)
{
	EACH {
		const uct_iov_t iov = WHOLE_REQUEST;

		if (__builtin_expect(uct_ep_put_zcopy(u.ep, &iov, 1, request.remote_addr,
						      u.rkey.rkey, &u.done) != UCS_INPROGRESS,
				     0))
			return false;
	}
	return true;
}

static bool get_zcopy(void)
{
	EACH {
		const uct_iov_t iov = WHOLE_REQUEST;

		if (__builtin_expect(uct_ep_get_zcopy(u.ep, &iov, 1, request.remote_addr,
						      u.rkey.rkey, &u.done) != UCS_INPROGRESS,
				     0))
			return false;
	}
	return true;
}

static bool put_short(void)
{
	EACH if (__builtin_expect(uct_ep_put_short(u.ep, request.buffer, 28, request.remote_addr,
						   u.rkey.rkey) != UCS_OK,
				  0)) return false;
	return true;
}

/* 28 bytes with UCX's own header: two of UCX, and 8 of the caller. */
static bool am_short(void)
{
	EACH if (__builtin_expect(uct_ep_am_short(u.ep, AM_ID, request.remote_addr, request.buffer,
						  28 - 10) != UCS_OK,
				  0)) return false;
	return true;
}

static bool fetch_add(void)
{
	static uint64_t result;

	EACH if (__builtin_expect(uct_ep_atomic64_fetch(u.ep, UCT_ATOMIC_OP_ADD, 3, &result,
							request.remote_addr, u.rkey.rkey,
							&u.done) != UCS_INPROGRESS,
				  0)) return false;
	return true;
}

static bool progress(void)
{
	return uct_worker_progress(u.worker) > 0;
}

static bool nothing(void)
{
	EACH
		if (__builtin_expect(uct_worker_progress(u.worker) != 0, 0))
			return false;
	return true;
}

/* Shape of a row's request. `inlined`: bytes of payload. `units` without an address */
struct shape {
	const char *row;
	bool (*round)(void);
	uint8_t opcode;
	uint32_t units, inlined;
	bool remote;
};

static const struct shape shapes[] = {
	{"rdma_write/SHAPE", put_zcopy, MLX5_OPCODE_RDMA_WRITE, 3, 0, true},
	{"rdma_read/SHAPE", get_zcopy, MLX5_OPCODE_RDMA_READ, 3, 0, true},
	{"rdma_write/INLINE", put_short, MLX5_OPCODE_RDMA_WRITE, 4, 28, true},
	{"send/INLINE", am_short, MLX5_OPCODE_SEND, 3, 28, false},
	{"atomic_fa/ATOMIC", fetch_add, MLX5_OPCODE_ATOMIC_FA, 4, 0, true},
};

/* The first request in an empty ring, at the lowest index. */
static const uint8_t *first_request(const uint8_t **end)
{
	const uint8_t *found = NULL;
	uint16_t least = 0;

	for (size_t r = 0; r < ring_count; r++)
		for (size_t at = 0; at < rings[r].bytes; at += 64) {
			const struct mlx5_wqe_ctrl_seg *ctrl =
				(const struct mlx5_wqe_ctrl_seg *)(const void *)(rings[r].buf + at);
			const uint32_t first = be32toh(ctrl->opmod_idx_opcode);

			if (!ctrl->qpn_ds || (first >> 8 & (rings[r].bytes / 64 - 1)) != at / 64)
				continue;
			if (!found || (int16_t)((first >> 8 & 0xffff) - least) < 0) {
				found = rings[r].buf + at;
				least = first >> 8 & 0xffff;
				*end = rings[r].buf + rings[r].bytes;
			}
		}
	return found;
}

static void empty_rings(void)
{
	for (size_t r = 0; r < ring_count; r++)
		memset(rings[r].buf, 0, rings[r].bytes);
}

/* Units of the address, if the request is as in the row, or -1. */
static int address_units(const struct shape *shape)
{
	const uint8_t *end = NULL, *at = first_request(&end);
	uint8_t wqe[256];
	const struct mlx5_wqe_ctrl_seg *ctrl = (const struct mlx5_wqe_ctrl_seg *)(const void *)wqe;
	uint32_t units, address;
	size_t length = request.length;

	if (!at)
		return -1;
	for (size_t i = 0; i < sizeof(wqe); i++)
		wqe[i] = at + i < end ? at[i] : 0; /* no request of ours wraps */
	units = be32toh(ctrl->qpn_ds) & 0x3f;
	address = units - shape->units;
	if (units < shape->units || (be32toh(ctrl->opmod_idx_opcode) & 0xff) != shape->opcode)
		return -1;
	at = wqe + 16 + 16 * address;
	if (shape->remote) {
		/* Atomics use a key of their own, with other addresses. */
		if (shape->opcode != MLX5_OPCODE_ATOMIC_FA &&
		    be64toh(((const struct mlx5_wqe_raddr_seg *)(const void *)at)->raddr) !=
			    request.remote_addr)
			return -1;
		at += 16;
	}
	if (shape->opcode == MLX5_OPCODE_ATOMIC_FA) {
		at += 16;
		length = 8;
	}
	if ((be32toh(*(const uint32_t *)(const void *)at) & 0x7fffffff) !=
	    (shape->inlined ? shape->inlined : length))
		return -1;
	return shape->remote && shape->inlined && memcmp(at + 4, request.buffer, shape->inlined)
		       ? -1
		       : (int)address;
}

static void post(const char *queue, const struct shape *shape)
{
	static const char *const words[][4] = {
		/* words in `row`: without an address, with a whole one, with a compact one */
		{"SHAPE", "sge", "av-sge", "av_compact-sge"},
		{"INLINE", "inline28", "av-inline28", "av_compact-inline28"},
		{"ATOMIC", "plain", "av", "av_compact"},
	};
	const char *const slash = strchr(shape->row, '/') + 1;
	int address;

	u.done.count = 100000;
	if (!shape->round())
		fprintf(stderr, "ucx: %s is refused\n", shape->row);
	drain();
	empty_rings();
	if (!measured(shape->round)) {
		fprintf(stderr, "ucx: %s is refused\n", shape->row);
		exit(1);
	}
	counted();
	address = address_units(shape);
	drain();
	for (size_t i = 0; i < 3; i++)
		if (!strcmp(slash, words[i][0]))
			printf("%s%s/%.*s%s UCX %u\n", address < 0 ? "other-bytes/" : "", queue,
			       (int)(slash - shape->row), shape->row,
			       words[i][address == 3   ? 2
					: address == 1 ? 3
						       : 1],
			       ROUND_OF);
}

/* Owner bits of all entries of all completion queues. */
static uint64_t owners(void)
{
	uint64_t sum = 0;

	for (size_t c = 0; c < cq_count; c++)
		for (size_t at = cqs[c].stride - 1; at < cqs[c].bytes; at += cqs[c].stride)
			sum = sum * 31 + cqs[c].buf[at] + 256u * cqs[c].buf[at - 2];
	return sum;
}

/* Polls one completion at a time, after it has arrived. */
static void poll_of(const char *row, bool (*post_one)(void))
{
	for (unsigned i = 0; i < POLLS; i++) {
		const uint64_t before = owners();
		int ms = 0;

		if (!post_one()) {
			fprintf(stderr, "ucx: %s: nothing is posted\n", row);
			exit(1);
		}
		while (owners() == before && ms++ < WAIT_MS)
			nap();
		if (cold)
			bench_empty_caches();
		if (!measured(progress)) {
			fprintf(stderr, "ucx: %s: nothing is polled\n", row);
			exit(1);
		}
	}
	counted();
	printf("%s UCX%s %u\n", row, cold ? "/cold" : "", POLLS);
	drain();
}

static bool one_put(void)
{
	const uct_iov_t iov = WHOLE_REQUEST;

	return uct_ep_put_zcopy(u.ep, &iov, 1, request.remote_addr, u.rkey.rkey, &u.done) ==
	       UCS_INPROGRESS;
}

static void post_cold(void)
{
	for (unsigned i = 0; i < POLLS; i++) {
		bench_empty_caches();
		if (!measured(one_put)) {
			fprintf(stderr, "ucx: a WRITE is refused\n");
			exit(1);
		}
	}
	counted();
	printf("batch/write/1 UCX/cold %u\n", POLLS);
	drain();
}

static bool one_message(void)
{
	return uct_ep_am_short(u.ep, AM_ID, 0, request.buffer, 28 - 10) == UCS_OK;
}

static uct_iface_h open_iface(const char *transport)
{
	uct_md_resource_desc_t md_resources[16];
	uct_component_h *components;
	unsigned count;

	must(uct_query_components(&components, &count), "uct_query_components");
	for (unsigned i = 0; i < count; i++) {
		uct_component_attr_t attr = {
			.field_mask = UCT_COMPONENT_ATTR_FIELD_NAME |
				      UCT_COMPONENT_ATTR_FIELD_MD_RESOURCE_COUNT};

		must(uct_component_query(components[i], &attr), "uct_component_query");
		if (strcmp(attr.name, "ib") || attr.md_resource_count > 16)
			continue;
		attr.field_mask = UCT_COMPONENT_ATTR_FIELD_MD_RESOURCES;
		attr.md_resources = md_resources;
		must(uct_component_query(components[i], &attr), "uct_component_query");
		for (unsigned j = 0; j < attr.md_resource_count; j++) {
			uct_md_config_t *md_config;
			uct_tl_resource_desc_t *tls;
			unsigned tl_count;

			must(uct_md_config_read(components[i], NULL, NULL, &md_config),
			     "uct_md_config_read");
			must(uct_md_open(components[i], md_resources[j].md_name, md_config, &u.md),
			     "uct_md_open");
			u.component = components[i];
			must(uct_md_query_tl_resources(u.md, &tls, &tl_count),
			     "uct_md_query_tl_resources");
			for (unsigned k = 0; k < tl_count; k++) {
				uct_iface_params_t params = {
					.field_mask = UCT_IFACE_PARAM_FIELD_OPEN_MODE |
						      UCT_IFACE_PARAM_FIELD_DEVICE,
					.open_mode = UCT_IFACE_OPEN_MODE_DEVICE};
				uct_iface_config_t *config;
				uct_iface_h iface;

				if (strcmp(tls[k].tl_name, transport))
					continue;
				params.mode.device.tl_name = tls[k].tl_name;
				params.mode.device.dev_name = tls[k].dev_name;
				must(uct_md_iface_config_read(u.md, tls[k].tl_name, NULL, NULL,
							      &config),
				     "uct_md_iface_config_read");
				must(uct_iface_open(u.md, u.worker, &params, config, &iface),
				     "uct_iface_open");
				return iface;
			}
		}
	}
	fprintf(stderr, "ucx: UCX has no %s here\n", transport);
	exit(1);
}

static void connect_both(const uct_iface_attr_t *attr)
{
	uct_ep_params_t params = {.field_mask = UCT_EP_PARAM_FIELD_IFACE, .iface = u.iface};
	uct_device_addr_t *device = calloc(1, attr->device_addr_len + 1);
	uct_iface_addr_t *address = calloc(1, attr->iface_addr_len + 1);
	uct_ep_addr_t *one = calloc(1, attr->ep_addr_len + 1),
		      *other = calloc(1, attr->ep_addr_len + 1);

	must(uct_iface_get_device_address(u.iface, device), "uct_iface_get_device_address");
	if (attr->cap.flags & UCT_IFACE_FLAG_CONNECT_TO_IFACE) {
		must(uct_iface_get_address(u.iface, address), "uct_iface_get_address");
		params.field_mask |= UCT_EP_PARAM_FIELD_DEV_ADDR | UCT_EP_PARAM_FIELD_IFACE_ADDR;
		params.dev_addr = device;
		params.iface_addr = address;
		must(uct_ep_create(&params, &u.ep), "uct_ep_create");
	} else {
		must(uct_ep_create(&params, &u.ep), "uct_ep_create");
		must(uct_ep_create(&params, &u.back), "uct_ep_create");
		must(uct_ep_get_address(u.ep, one), "uct_ep_get_address");
		must(uct_ep_get_address(u.back, other), "uct_ep_get_address");
		must(uct_ep_connect_to_ep(u.ep, device, other), "uct_ep_connect_to_ep");
		must(uct_ep_connect_to_ep(u.back, device, one), "uct_ep_connect_to_ep");
	}
}

static void run(const char *transport, const char *queue, bool polls)
{
	uct_iface_attr_t attr;
	uct_md_attr_t md;
	uint8_t *packed;

	u.back = NULL;
	ring_count = cq_count = 0;
	must(uct_worker_create(u.async, UCS_THREAD_MODE_SINGLE, &u.worker), "uct_worker_create");
	u.iface = open_iface(transport);
	uct_iface_progress_enable(u.iface, UCT_PROGRESS_SEND | UCT_PROGRESS_RECV);
	must(uct_iface_set_am_handler(u.iface, AM_ID, received, NULL, 0),
	     "uct_iface_set_am_handler");
	must(uct_iface_query(u.iface, &attr), "uct_iface_query");
	must(uct_md_query(u.md, &md), "uct_md_query");
	connect_both(&attr);
	must(uct_md_mem_reg(u.md, u.memory, sizeof(u.memory), UCT_MD_MEM_ACCESS_ALL, &u.mem),
	     "uct_md_mem_reg");
	packed = calloc(1, md.rkey_packed_size + 1);
	must(uct_md_mkey_pack(u.md, u.mem, packed), "uct_md_mkey_pack");
	must(uct_rkey_unpack(u.component, packed, &u.rkey), "uct_rkey_unpack");
	u.done.func = completed;
	u.done.count = 100000;
	u.done.status = UCS_OK;
	request.buffer = u.memory[0];
	request.remote_addr = (uintptr_t)u.memory[1];
	request.length = 128; /* UCX copies short READs */
	u.done.count = 100000;
	if (cold)
		post_cold();
	for (size_t i = 0; !cold && i < sizeof(shapes) / sizeof(shapes[0]); i++)
		post(queue, &shapes[i]);
	if (!polls)
		return;
	poll_of("poll/send/1", one_put);
	poll_of("poll/receive/1", one_message);
	if (cold)
		return;
	if (!measured(nothing))
		fprintf(stderr, "ucx: an empty poll finds something\n");
	counted();
	printf("poll/empty/1 UCX %u\n", ROUND_OF);
}

/* Queues by verbs, to be able to query their rings. 8 bytes per doorbell. No messages but ours. */
static void configure(void)
{
	static const char *const settings[][2] = {
		{"UCX_IB_MLX5_DEVX_OBJECTS", ""}, {"UCX_RC_MLX5_MMIO_MODE", "db"},
		{"UCX_DC_MLX5_MMIO_MODE", "db"},  {"UCX_RC_MLX5_FC_ENABLE", "n"},
		{"UCX_DC_MLX5_FC_ENABLE", "n"},	  {"UCX_IB_REG_METHODS", "direct"},
	};

	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		setenv(settings[i][0], settings[i][1], 1);
}

int main(int argc, char **argv)
{
	(void)argv;
	cold = argc > 1;
	configure();
	memset(u.memory, 0x5a, sizeof(u.memory));
	must(ucs_async_context_create(UCS_ASYNC_MODE_THREAD_SPINLOCK, &u.async),
	     "ucs_async_context_create");
	run("rc_mlx5", "rc", true);
	if (!cold)
		run("dc_mlx5", "dci", false);
	return 0;
}
