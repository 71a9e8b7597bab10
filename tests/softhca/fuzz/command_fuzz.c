/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fuzzing of the commands, from the entry points of write() and ioctl() down into the device.
 *
 * An input is a list of commands: kind, number, a byte that says which fields shall be plausible,
 * and the bytes of the request. Plausible means: handles that may exist, pointers into a scratch
 * area. One device serves all inputs. Each input begins with a context of its own and ends with the
 * tear-down of all it made; the file itself is opened anew for every 64th only, which takes longer
 * than the commands.
 */
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/softhca/fuzz/fuzz_input.h"
#include "tools/softhca/uverbs/cmd.h"
#include "tools/softhca/uverbs/devx/devx.h"
#include "tools/softhca/uverbs/libc/fdtab.h"
#include "tools/softhca/uverbs/devx/prm.h"
#include "tools/softhca/uverbs/uverbs.h"

#define SCRATCH (1 << 18)

static uint8_t scratch[SCRATCH] __attribute__((aligned(4096)));

static uint64_t pointer(struct fuzz_input *in)
{
	return (uint64_t)(uintptr_t)scratch + (fuzz_take(in, 1) << 10);
}

/* Turns the 64-bit words that a mask names into pointers, and makes the other 32-bit words small.
 */
static void plausible(struct fuzz_input *in, uint8_t how, uint32_t *words, size_t count)
{
	uint32_t mask = how & 1 ? (uint32_t)fuzz_take(in, 2) : 0;

	for (size_t i = 0; i < count; i++) {
		if (i / 2 < 16 && mask >> (i / 2) & 1 && !(i & 1) && i + 1 < count) {
			uint64_t p = pointer(in);

			memcpy(&words[i], &p, sizeof(p));
			i++;
		} else if (how & 2) {
			words[i] &= 0x1f;
		} else if (how & 4 && words[i] > 0xffff) {
			words[i] &= 0x3ff;
		}
	}
}

static void setup(struct uv_file *f)
{
	struct mlx5_ib_alloc_ucontext_req_v2 req = {
		.max_cqe_version = 1,
		.flags = MLX5_IB_ALLOC_UCTX_DEVX,
		.lib_caps = MLX5_LIB_CAP_4K_UAR | MLX5_LIB_CAP_DYN_UAR,
	};
	struct ib_uverbs_get_context_resp resp;
	struct mlx5_ib_alloc_ucontext_resp drv;
	struct uv_cmd c = {.file = f};
	struct ib_uverbs_get_context core = {0};
	int fd;

	c.in = (struct uv_span){(uintptr_t)&core, sizeof(core)};
	c.out = (struct uv_span){(uintptr_t)&resp, sizeof(resp)};
	c.drv_in = (struct uv_span){(uintptr_t)&req, sizeof(req)};
	c.drv_out = (struct uv_span){(uintptr_t)&drv, sizeof(drv)};
	if (uv_cmd_run(&c, IB_USER_VERBS_CMD_GET_CONTEXT))
		abort();
	fd = (int)resp.async_fd;
	close(fd);
}

/* The objects nearly every other command wants. */
static void make_basics(struct uv_file *f)
{
	uint32_t out[16];
	struct ib_uverbs_alloc_pd pd = {0};
	struct ib_uverbs_create_cq cq = {.cqe = 15, .comp_channel = -1};
	struct mlx5_ib_create_cq drv = {.buf_addr = (uintptr_t)scratch,
					.db_addr = (uintptr_t)scratch + 65536,
					.cqe_size = 64};
	struct uv_cmd c = {.file = f};
	struct uv_obj *uar;

	c.out = (struct uv_span){(uintptr_t)out, 4};
	c.in = (struct uv_span){(uintptr_t)&pd, sizeof(pd)};
	(void)uv_cmd_run(&c, IB_USER_VERBS_CMD_ALLOC_PD);
	c.in = (struct uv_span){(uintptr_t)&cq, sizeof(cq)};
	c.out.len = sizeof(struct ib_uverbs_create_cq_resp);
	c.drv_in = (struct uv_span){(uintptr_t)&drv, sizeof(drv)};
	(void)uv_cmd_run(&c, IB_USER_VERBS_CMD_CREATE_CQ);
	(void)uv_uar_alloc(f, &uar);
}

static void one_write(struct uv_file *f, struct fuzz_input *in)
{
	uint32_t req[128], drv[32];
	static uint8_t out[1024], drv_out[512];
	struct uv_cmd c = {.file = f};
	uint32_t id = (uint32_t)fuzz_take(in, 1) % 64;
	uint8_t how = (uint8_t)fuzz_take(in, 1);
	size_t core = fuzz_take(in, 1) % sizeof(req), driver = fuzz_take(in, 1) % sizeof(drv);

	if (how & 0x80)
		id |= IB_USER_VERBS_CMD_FLAG_EXTENDED;
	fuzz_bytes(in, req, core);
	memset((uint8_t *)req + core, 0, sizeof(req) - core);
	fuzz_bytes(in, drv, driver);
	plausible(in, how, req, core / 4);
	plausible(in, how, drv, driver / 4);
	if (how & 8) {
		core = sizeof(req);
		driver = sizeof(drv);
	}
	c.in = (struct uv_span){(uintptr_t)req, core};
	c.out = (struct uv_span){how & 0x10 ? 8 : (uintptr_t)out, how & 0x20 ? 8 : sizeof(out)};
	c.drv_in = (struct uv_span){(uintptr_t)drv, driver};
	c.drv_out = (struct uv_span){(uintptr_t)drv_out, how & 0x40 ? 0 : sizeof(drv_out)};
	(void)uv_cmd_run(&c, id);
}

/* A raw command that makes an object, with its head and what it names in order: most random ones
 * end there. */
static void one_devx_create(struct uv_file *f, struct fuzz_input *in)
{
	static const uint16_t opcodes[] = {PRM_CREATE_MKEY, PRM_CREATE_PSV, PRM_CREATE_GENERAL,
					   PRM_ALLOC_PD};
	uint8_t cmd[512] = {0}, out[512];
	struct uv_mailbox mb = {cmd, sizeof(cmd), out, sizeof(out)};
	uint8_t how = (uint8_t)fuzz_take(in, 1);
	uint32_t pdn = 1 + (how >> 6);
	struct uv_obj *obj;

	fuzz_bytes(in, cmd, sizeof(cmd) / (1 + (how & 3)));
	prm_set(cmd, 0, IN_OPCODE, opcodes[how >> 2 & 3]);
	if (how & 0x10)
		prm_set(cmd, 0, GEN_TYPE, how & 0x20 ? PRM_OBJ_DEK : PRM_OBJ_LOGIN);
	prm_set(cmd, 0, PSV_PD, pdn); /* and in the other commands */
	prm_set(cmd, MKC, MKC_PD, pdn);
	prm_set(cmd, GEN, DEK_PD, pdn);
	obj = uv_obj_new(f, UV_DEVX);
	if (!obj)
		return;
	if (uv_devx_create(obj, &mb))
		(void)uv_obj_destroy(obj);
	else
		(void)uv_devx_query(obj, &mb);
}

static void one_raw_write(struct uv_file *f, struct fuzz_input *in)
{
	uint8_t buf[512];
	size_t len = fuzz_take(in, 1) * 2;

	fuzz_bytes(in, buf, len);
	(void)uv_cmd_write(f, buf, len);
}

static void one_ioctl(struct uv_file *f, struct fuzz_input *in)
{
	static const uint16_t objects[] = {
		UVERBS_OBJECT_DEVICE,	   UVERBS_OBJECT_PD,	UVERBS_OBJECT_CQ,
		UVERBS_OBJECT_QP,	   UVERBS_OBJECT_SRQ,	UVERBS_OBJECT_MR,
		UVERBS_OBJECT_ASYNC_EVENT, MLX5_IB_OBJECT_DEVX, MLX5_IB_OBJECT_DEVX_OBJ,
		MLX5_IB_OBJECT_DEVX_UMEM,  MLX5_IB_OBJECT_UAR,	UVERBS_OBJECT_AH,
		MLX5_IB_OBJECT_DEVX_ASYNC_EVENT_FD, UVERBS_OBJECT_DM, MLX5_IB_OBJECT_PP,
		MLX5_IB_OBJECT_VAR,
	};
	static uint32_t payload[16][560];
	uint8_t raw[sizeof(struct ib_uverbs_ioctl_hdr) + 16 * sizeof(struct ib_uverbs_attr)]
		__attribute__((aligned(8)));
	struct ib_uverbs_ioctl_hdr *cmd = (struct ib_uverbs_ioctl_hdr *)raw;
	uint8_t how = (uint8_t)fuzz_take(in, 1);
	unsigned int n = fuzz_take(in, 1) % 12;

	memset(raw, 0, sizeof(raw));
	cmd->object_id = objects[fuzz_take(in, 1) % (sizeof(objects) / sizeof(objects[0]))];
	cmd->method_id = (uint16_t)(fuzz_take(in, 1) % 8 | (how & 0x80 ? 0x1000 : 0));
	cmd->num_attrs = (uint16_t)n;
	cmd->length = (uint16_t)(sizeof(*cmd) + n * sizeof(cmd->attrs[0]));
	cmd->driver_id = RDMA_DRIVER_MLX5;
	for (unsigned int i = 0; i < n; i++) {
		struct ib_uverbs_attr *a = &cmd->attrs[i];
		uint8_t kind = (uint8_t)fuzz_take(in, 1);

		a->attr_id = (uint16_t)((kind & 0xf) | (kind & 0x10 ? 0x1000 : 0));
		a->flags = UVERBS_ATTR_F_MANDATORY;
		if (kind & 0x20) {
			a->len = (uint16_t)(fuzz_take(in, 2) % sizeof(payload[0]));
			if (kind & 0x40)
				fuzz_bytes(in, payload[i], a->len);
			plausible(in, how, payload[i], 8);
			a->data = (uintptr_t)payload[i];
		} else {
			a->data = kind & 0x80 ? fuzz_take(in, 8) : fuzz_take(in, 1) % 32;
			if (how & 1 && kind & 0x40)
				a->data = pointer(in);
			a->len = kind & 0x40 ? 8 : 0;
		}
	}
	if (how & 0x40)
		fuzz_bytes(in, raw, 8);
	(void)uv_ioctl_run(f, (uintptr_t)raw);
}

/*
 * A device command: opcode, kind of general object and handle are such as exist, the rest is bytes.
 * One attribute order serves all methods: handle, command, answer.
 */
static void one_device_command(struct uv_file *f, struct fuzz_input *in)
{
	static const struct {
		uint16_t opcode, method, first_attr;
	} commands[] = {
#define COMMAND(opcode, method, first) \
	{opcode, MLX5_IB_METHOD_DEVX_OBJ_##method, first}
		COMMAND(PRM_CREATE_MKEY, CREATE, MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE),
		COMMAND(PRM_CREATE_CQ, CREATE, MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE),
		COMMAND(PRM_CREATE_QP, CREATE, MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE),
		COMMAND(PRM_CREATE_GENERAL, CREATE, MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE),
		COMMAND(PRM_MODIFY_GENERAL, MODIFY, MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE),
		COMMAND(PRM_RST2INIT_QP, MODIFY, MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE),
		COMMAND(PRM_INIT2INIT_QP, MODIFY, MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE),
		COMMAND(PRM_RTS2RTS_QP, MODIFY, MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE),
		COMMAND(PRM_MODIFY_TIS, MODIFY, MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE),
		COMMAND(PRM_MODIFY_SQ, MODIFY, MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE),
		COMMAND(PRM_QUERY_QP, QUERY, MLX5_IB_ATTR_DEVX_OBJ_QUERY_HANDLE),
		COMMAND(PRM_QUERY_TIS, QUERY, MLX5_IB_ATTR_DEVX_OBJ_QUERY_HANDLE),
#undef COMMAND
	};
	static const uint8_t kinds[] = {0x26, 0x3a, 0x26, 0x2c};
	static uint8_t mailbox[1024], answer[4200];
	uint8_t raw[sizeof(struct ib_uverbs_ioctl_hdr) + 3 * sizeof(struct ib_uverbs_attr)]
		__attribute__((aligned(8))) = {0};
	struct ib_uverbs_ioctl_hdr *cmd = (struct ib_uverbs_ioctl_hdr *)raw;
	const size_t which = fuzz_u8(in) % (sizeof(commands) / sizeof(commands[0]));
	const uint8_t how = fuzz_u8(in);
	const size_t len = fuzz_u16(in) % sizeof(mailbox);

	memset(mailbox, 0, sizeof(mailbox));
	fuzz_bytes(in, mailbox + 8, fuzz_u8(in));
	prm_set(mailbox, 0, IN_OPCODE, commands[which].opcode);
	if (how & 1) {
		prm_set(mailbox, 0, GEN_TYPE, kinds[how >> 1 & 3]);
		prm_set(mailbox, GEN, SCHED_HIERARCHY, 3);
		prm_set(mailbox, SCHEDC, SCHEDC_TYPE, how & 8 ? 4 : 0);
		prm_set(mailbox, SCHEDC, SCHEDC_PARENT, how >> 4 & 3);
	}
	cmd->object_id = MLX5_IB_OBJECT_DEVX_OBJ;
	cmd->method_id = commands[which].method;
	cmd->num_attrs = 3;
	cmd->length = sizeof(raw);
	cmd->driver_id = RDMA_DRIVER_MLX5;
	for (unsigned int i = 0; i < 3; i++)
		cmd->attrs[i].attr_id = (uint16_t)(commands[which].first_attr + i);
	cmd->attrs[0].data = fuzz_u8(in) & 15;
	cmd->attrs[1].data = (uintptr_t)mailbox;
	cmd->attrs[1].len = (uint16_t)(how & 0x40 ? len : sizeof(mailbox));
	cmd->attrs[2].data = (uintptr_t)answer;
	cmd->attrs[2].len = (uint16_t)(how & 0x80 ? len : sizeof(answer));
	(void)uv_ioctl_run(f, (uintptr_t)raw);
}

/* The lowest fd that is free: what an input opens comes at or above it. */
static int next_fd(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

/* Closes what the commands of an input have opened for the application, event channels say. */
static void close_from(int fd)
{
	for (int misses = 0; misses < 16; fd++) {
		if (fcntl(fd, F_GETFD) < 0) {
			misses++;
		} else if (!uv_fd_hidden(fd)) {
			close(fd);
			misses = 0;
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1, inputs;
	struct fuzz_input in = {data, size};
	struct uv_file *f;
	int first;

	if (fd < 0)
		fd = uv_file_open(0, 0);
	if (fd < 0)
		abort();
	first = next_fd();
	softhca_lock();
	f = uv_file_of(fd);
	if (!f->ready)
		setup(f);
	make_basics(f);
	while (in.left) {
		switch (fuzz_take(&in, 1) % 8) {
		case 0:
			one_raw_write(f, &in);
			break;
		case 1:
			one_ioctl(f, &in);
			break;
		case 2:
			one_devx_create(f, &in);
			break;
		case 3:
			one_device_command(f, &in);
			break;
		default:
			one_write(f, &in);
		}
	}
	uv_obj_destroy_all(f);
	softhca_unlock();
	close_from(first);
	if (++inputs % 64 == 0) {
		close(fd);
		fd = -1;
	}
	return 0;
}
