/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two UCP workers in one process talk over whatever UCX_TLS says, and every byte and operand is
 * compared. Compiled by ucx.sh, because it needs libucx-dev.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucp/api/ucp.h>

#define MEMORY (1 << 20)

struct side {
	ucp_context_h context;
	ucp_worker_h worker;
	ucp_ep_h ep;
	ucp_mem_h mem;
	ucp_rkey_h rkey; /* of the peer's memory */
	uint8_t *bytes;	 /* MEMORY of them */
};

static struct side a, b;

static void check(int ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "ucx_client: %s is wrong\n", what);
	exit(1);
}

static void must(ucs_status_t status, const char *what)
{
	if (status == UCS_OK)
		return;
	fprintf(stderr, "ucx_client: %s: %s\n", what, ucs_status_string(status));
	exit(1);
}

static void wait_for(ucs_status_ptr_t request, const char *what)
{
	ucs_status_t status;

	if (!UCS_PTR_IS_PTR(request)) {
		must(UCS_PTR_STATUS(request), what);
		return;
	}
	do {
		ucp_worker_progress(a.worker);
		ucp_worker_progress(b.worker);
		status = ucp_request_check_status(request);
	} while (status == UCS_INPROGRESS);
	must(status, what);
	ucp_request_free(request);
}

static void flush(struct side *s)
{
	const ucp_request_param_t none = {0};

	wait_for(ucp_ep_flush_nbx(s->ep, &none), "flush");
}

static void open_side(struct side *s)
{
	const ucp_params_t params = {
		.field_mask = UCP_PARAM_FIELD_FEATURES,
		.features = UCP_FEATURE_TAG | UCP_FEATURE_RMA | UCP_FEATURE_AMO32 |
			    UCP_FEATURE_AMO64,
	};
	const ucp_worker_params_t worker = {0};
	ucp_mem_map_params_t map = {
		.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH,
		.length = MEMORY,
	};
	ucp_config_t *config;

	must(ucp_config_read(NULL, NULL, &config), "ucp_config_read");
	must(ucp_init(&params, config, &s->context), "ucp_init");
	ucp_config_release(config);
	must(ucp_worker_create(s->context, &worker, &s->worker), "ucp_worker_create");
	s->bytes = aligned_alloc(4096, MEMORY);
	check(s->bytes != NULL, "memory");
	memset(s->bytes, 0, MEMORY);
	map.address = s->bytes;
	must(ucp_mem_map(s->context, &map, &s->mem), "ucp_mem_map");
}

static void connect_to(struct side *from, struct side *to)
{
	ucp_ep_params_t ep = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS};
	ucp_address_t *address;
	void *packed;
	size_t len;

	must(ucp_worker_get_address(to->worker, &address, &len), "ucp_worker_get_address");
	ep.address = address;
	must(ucp_ep_create(from->worker, &ep, &from->ep), "ucp_ep_create");
	ucp_worker_release_address(to->worker, address);
	must(ucp_rkey_pack(to->context, to->mem, &packed, &len), "ucp_rkey_pack");
	must(ucp_ep_rkey_unpack(from->ep, packed, &from->rkey), "ucp_ep_rkey_unpack");
	ucp_rkey_buffer_release(packed);
}

static void pattern(uint8_t *p, size_t len, uint32_t seed)
{
	for (size_t i = 0; i < len; i++) {
		seed = seed * 1664525u + 1013904223u;
		p[i] = (uint8_t)(seed >> 24);
	}
}

static void tags(size_t len)
{
	const ucp_request_param_t none = {0};
	uint8_t *out = malloc(len + 1), *in = malloc(len + 1);
	ucs_status_ptr_t recv, send;

	for (int turn = 0; turn < 2; turn++) {
		struct side *from = turn ? &b : &a, *to = turn ? &a : &b;

		pattern(out, len, (uint32_t)len + (uint32_t)turn);
		memset(in, 0xaa, len + 1);
		recv = ucp_tag_recv_nbx(to->worker, in, len, 7, UINT64_MAX, &none);
		send = ucp_tag_send_nbx(from->ep, out, len, 7, &none);
		wait_for(send, "a tagged send");
		wait_for(recv, "a tagged receive");
		check(!memcmp(in, out, len) && in[len] == 0xaa, "a tagged message");
	}
	free(out);
	free(in);
}

static void rma(size_t len)
{
	const ucp_request_param_t none = {0};
	uint8_t *mine = malloc(len);

	pattern(mine, len, 3 * (uint32_t)len);
	wait_for(ucp_put_nbx(a.ep, mine, len, (uintptr_t)b.bytes + 64, a.rkey, &none), "put");
	flush(&a);
	check(!memcmp(mine, b.bytes + 64, len), "what put has written");
	pattern(b.bytes + 64, len, 5 * (uint32_t)len);
	wait_for(ucp_get_nbx(a.ep, mine, len, (uintptr_t)b.bytes + 64, a.rkey, &none), "get");
	flush(&a);
	check(!memcmp(mine, b.bytes + 64, len), "what get has read");
	free(mine);
}

static uint64_t load(const void *p, size_t size)
{
	uint64_t value = 0; /* little-endian hosts only, as the device */

	memcpy(&value, p, size);
	return value;
}

/* Returns what was there before. */
static uint64_t fetch(ucp_atomic_op_t op, uint64_t operand, uint64_t reply, size_t size)
{
	uint64_t result = reply;
	const ucp_request_param_t param = {
		.op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE | UCP_OP_ATTR_FIELD_REPLY_BUFFER,
		.datatype = ucp_dt_make_contig(size),
		.reply_buffer = &result,
	};

	wait_for(ucp_atomic_op_nbx(a.ep, op, &operand, 1, (uintptr_t)b.bytes, a.rkey, &param),
		 "an atomic with a reply");
	flush(&a);
	return load(&result, size);
}

static void atomics(size_t size)
{
	const uint64_t mask = size == 8 ? UINT64_MAX : UINT32_MAX;
	const uint64_t first = UINT64_C(0x8182838485868788) & mask;
	const ucp_request_param_t plain = {
		.op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE,
		.datatype = ucp_dt_make_contig(size),
	};
	uint64_t operand = 5;

	memset(b.bytes, 0, 16);
	memcpy(b.bytes, &first, size);
	wait_for(ucp_atomic_op_nbx(a.ep, UCP_ATOMIC_OP_ADD, &operand, 1, (uintptr_t)b.bytes, a.rkey,
				   &plain),
		 "an add");
	flush(&a);
	check(load(b.bytes, size) == first + 5, "the sum of add");
	check(fetch(UCP_ATOMIC_OP_ADD, 256, 0, size) == first + 5, "the reply of fetch-and-add");
	check(load(b.bytes, size) == first + 261, "the sum of fetch-and-add");
	check(fetch(UCP_ATOMIC_OP_SWAP, 0x11223344, 0, size) == first + 261, "the reply of swap");
	check(load(b.bytes, size) == 0x11223344, "the value of swap");
	/* Compare with the operand, store the reply buffer's value: first unequal, then equal. */
	check(fetch(UCP_ATOMIC_OP_CSWAP, 0x11223345, 9, size) == 0x11223344, "a failed compare");
	check(load(b.bytes, size) == 0x11223344, "the value after a failed compare");
	check(fetch(UCP_ATOMIC_OP_CSWAP, 0x11223344, 9, size) == 0x11223344, "a good compare");
	check(load(b.bytes, size) == 9, "the value after a good compare");
	check(load(b.bytes + size, 8) == 0, "the memory behind the operand");
}

/* Without a reply, bit by bit. */
static void bits(size_t size)
{
	static const struct {
		ucp_atomic_op_t op;
		uint64_t operand, result;
	} steps[] = {{UCP_ATOMIC_OP_XOR, 0xf0, 0xf9},
		     {UCP_ATOMIC_OP_AND, 0xf3, 0xf1},
		     {UCP_ATOMIC_OP_OR, 0x0c, 0xfd}};
	const ucp_request_param_t plain = {
		.op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE,
		.datatype = ucp_dt_make_contig(size),
	};

	memset(b.bytes, 0, 16);
	b.bytes[0] = 9;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		uint64_t operand = steps[i].operand;

		wait_for(ucp_atomic_op_nbx(a.ep, steps[i].op, &operand, 1, (uintptr_t)b.bytes,
					   a.rkey, &plain),
			 "an operation on bits");
		flush(&a);
		check(load(b.bytes, size) == steps[i].result, "its result");
	}
}

static void close_side(struct side *s)
{
	ucp_rkey_destroy(s->rkey);
	(void)ucp_mem_unmap(s->context, s->mem);
	ucp_worker_destroy(s->worker);
	ucp_cleanup(s->context);
	free(s->bytes);
}

/* With an argument, operations on bits too, which some transports do not have. */
int main(int argc, char **argv)
{
	static const size_t sizes[] = {1, 8, 100, 1000, 4096, 9000, 70000, 300001, 1000000};

	(void)argv;
	open_side(&a);
	open_side(&b);
	connect_to(&a, &b);
	connect_to(&b, &a);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		tags(sizes[i]);
		rma(sizes[i]);
	}
	for (int i = 0; i < 20; i++) {
		atomics(8);
		atomics(4);
	}
	if (argc > 1) {
		bits(8);
		bits(4);
	}
	wait_for(ucp_ep_close_nb(a.ep, UCP_EP_CLOSE_MODE_FLUSH), "closing an endpoint");
	wait_for(ucp_ep_close_nb(b.ep, UCP_EP_CLOSE_MODE_FLUSH), "closing an endpoint");
	close_side(&a);
	close_side(&b);
	puts("every byte is right");
	return 0;
}
