/* SPDX-License-Identifier: BSD-2-Clause */
/* Device memory, on-demand paging, the null region, the device's clock and the longest copy. */
#include <fcntl.h>
#include <linux/udmabuf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/softhca/clients/loop.h"

int failures;

static void test_device_memory(struct ibv_context *ctx)
{
	struct ibv_alloc_dm_attr attr = {.length = 5000};
	struct ibv_device_attr_ex dev;
	char out[64], in[64] = "through the device's own memory";
	struct ibv_mr *mr, *far;
	struct ibv_dm *dm, *all;
	struct loop l;

	loop_open(&l, ctx);
	CHECK_RC(ibv_query_device_ex(ctx, NULL, &dev), 0);
	CHECK(dev.max_dm_size >= 65536);
	attr.length = dev.max_dm_size + 1;
	CHECK(!ibv_alloc_dm(ctx, &attr));
	attr.length = 5000;
	dm = ibv_alloc_dm(ctx, &attr);
	NEED(dm);
	attr.length = dev.max_dm_size;
	CHECK(!ibv_alloc_dm(ctx, &attr)); /* a part is in use */
	CHECK_RC(ibv_memcpy_to_dm(dm, 4096, in, sizeof(in)), 0);
	CHECK_NULL(ibv_reg_dm_mr(l.pd, dm, 0, 100, IBV_ACCESS_LOCAL_WRITE), EINVAL);
	CHECK_NULL(ibv_reg_dm_mr(l.pd, dm, 4096, 1000, IBV_ACCESS_ZERO_BASED), EINVAL);
	CHECK_NULL(ibv_reg_dm_mr(l.pd, dm, 0, 100, IBV_ACCESS_ZERO_BASED | IBV_ACCESS_MW_BIND),
		   EINVAL);
	far = ibv_reg_dm_mr(l.pd, dm, 4096, 904, IBV_ACCESS_ZERO_BASED | REMOTE);
	mr = ibv_reg_mr(l.pd, out, sizeof(out), IBV_ACCESS_LOCAL_WRITE);
	NEED(far && mr);
	CHECK_RC(ibv_free_dm(dm), EBUSY);
	memset(out, 0, sizeof(out));
	CHECK(rdma(&l, IBV_WR_RDMA_READ, sge_of(out, sizeof(out), mr->lkey), 0, far->rkey) ==
	      IBV_WC_SUCCESS);
	CHECK(!memcmp(in, out, sizeof(in)));
	memcpy(out, "written from afar", 18);
	CHECK(rdma(&l, IBV_WR_RDMA_WRITE, sge_of(out, sizeof(out), mr->lkey), 840, far->rkey) ==
	      IBV_WC_SUCCESS);
	memset(in, 0, sizeof(in));
	CHECK_RC(ibv_memcpy_from_dm(in, dm, 4096 + 840, sizeof(in)), 0);
	CHECK(!strcmp(in, "written from afar"));
	CHECK(rdma(&l, IBV_WR_RDMA_WRITE, sge_of(out, sizeof(out), mr->lkey), 841, far->rkey) ==
	      IBV_WC_WR_FLUSH_ERR);
	CHECK_RC(ibv_dereg_mr(far), 0);
	CHECK_RC(ibv_dereg_mr(mr), 0);
	CHECK_RC(ibv_free_dm(dm), 0);
	all = ibv_alloc_dm(ctx, &attr);
	NEED(all);
	memset(out, 1, sizeof(out));
	CHECK_RC(ibv_memcpy_from_dm(out, all, 4096, sizeof(out)), 0);
	CHECK(!out[0] && !out[sizeof(out) - 1]); /* nobody sees what another has left */
	CHECK_RC(ibv_free_dm(all), 0);
	loop_close(&l);
}

/* Loads and stores that are operations, and what a peer sees of them. */
static void test_device_memory_operations(struct ibv_context *ctx)
{
	enum { INCREMENT, TEST_AND_SET };
	struct ibv_alloc_dm_attr attr = {.length = 8192};
	struct ibv_dm *dm = ibv_alloc_dm(ctx, &attr);
	volatile uint8_t *inc, *set;
	uint64_t word = 0;
	struct ibv_mr *far, *mr;
	struct loop l;

	NEED(dm);
	loop_open(&l, ctx);
	inc = mlx5dv_dm_map_op_addr(dm, INCREMENT);
	set = mlx5dv_dm_map_op_addr(dm, TEST_AND_SET);
	NEED(inc && set);
	CHECK_NULL(mlx5dv_dm_map_op_addr(dm, 9), EOPNOTSUPP);
	for (int i = 0; i < 300; i++)
		inc[5001] = 1; /* 300 modulo 256, and nothing is carried */
	inc[5002] = 7;
	inc[5002] = 0x80;
	CHECK_RC(ibv_memcpy_from_dm(&word, dm, 5000, 4), 0);
	CHECK_EQ(word, (0x870000u | 44u << 8));
	CHECK_EQ(set[5001], 44);
	CHECK_EQ(set[5001], 1);
	CHECK_EQ(set[0], 0);
	/* The peer, and its own kind of atomic operation. */
	far = ibv_reg_dm_mr(l.pd, dm, 5000, 8,
			    IBV_ACCESS_ZERO_BASED | REMOTE | IBV_ACCESS_REMOTE_ATOMIC);
	mr = ibv_reg_mr(l.pd, &word, sizeof(word), REMOTE);
	NEED(far && mr);
	CHECK(rdma(&l, IBV_WR_RDMA_READ, sge_of(&word, 8, mr->lkey), 0, far->rkey) ==
	      IBV_WC_SUCCESS);
	CHECK_EQ(word, 0x870100);
	CHECK_RC(ibv_dereg_mr(far), 0);
	CHECK_RC(ibv_dereg_mr(mr), 0);
	CHECK_RC(munmap((void *)(uintptr_t)inc, 8192), 0);
	CHECK_RC(munmap((void *)(uintptr_t)set, 8192), 0);
	CHECK_RC(ibv_free_dm(dm), 0);
	loop_close(&l);
}

/*
 * What is to be written must be writable when it is registered, as ib_umem_get() has it; then the
 * card has the page, whatever the program's page tables say.
 */
static void test_read_only(struct ibv_context *ctx)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), large = 256 * page;
	char *m = mmap(NULL, large, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	unsigned char resident[256];
	uint64_t word = 5;
	struct ibv_mr *mr, *reads, *mine, *demand;
	struct loop l;

	NEED(m != MAP_FAILED);
	madvise(m, large, MADV_NOHUGEPAGE); /* or a neighbour's huge page comes to lie here */
	loop_open(&l, ctx);
	/* One page that is read-only spoils it, in a small region as in a large one. */
	mr = ibv_reg_mr(l.pd, m, large, REMOTE);
	NEED(mr);
	CHECK_RC(mincore(m, large, resident), 0);
	CHECK(!(resident[0] & 1) && !(resident[255] & 1)); /* nothing was populated */
	CHECK_RC(ibv_dereg_mr(mr), 0);
	CHECK_RC(mprotect(m + 3 * page, page, PROT_READ), 0);
	CHECK_NULL(ibv_reg_mr(l.pd, m, large, REMOTE), EFAULT);
	CHECK_NULL(ibv_reg_mr(l.pd, m + 3 * page - 1, 2, IBV_ACCESS_LOCAL_WRITE), EFAULT);
	CHECK_NULL(ibv_reg_mr(l.pd, m + 3 * page, page, IBV_ACCESS_MW_BIND), EFAULT);
	mr = ibv_reg_mr(l.pd, m, 3 * page, REMOTE | IBV_ACCESS_REMOTE_ATOMIC);
	reads = ibv_reg_mr(l.pd, m + 3 * page, page, IBV_ACCESS_REMOTE_READ);
	demand = ibv_reg_mr(l.pd, m, large, REMOTE | IBV_ACCESS_ON_DEMAND); /* looked at later */
	mine = ibv_reg_mr(l.pd, &word, sizeof(word), REMOTE);
	NEED(mr && reads && demand && mine);
	CHECK_RC(ibv_rereg_mr(reads, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, REMOTE),
		 IBV_REREG_MR_ERR_CMD);
	CHECK_EQ(errno, EFAULT);

	m[page] = 7;
	CHECK_RC(mprotect(m, 3 * page, PROT_READ), 0);
	CHECK(rdma(&l, IBV_WR_RDMA_WRITE, sge_of(&word, 8, mine->lkey), (uint64_t)(uintptr_t)m,
		   mr->rkey) == IBV_WC_SUCCESS);
	CHECK(!memcmp(m, &word, 8));
	CHECK(rdma_add(&l, sge_of(&word, 8, mine->lkey), (uint64_t)(uintptr_t)m, mr->rkey, 37) ==
	      IBV_WC_SUCCESS);
	CHECK(word == 5 && m[0] == 42);
	/* Across two pages, and the program still sees its own page. */
	CHECK(rdma(&l, IBV_WR_RDMA_WRITE, sge_of(&word, 8, mine->lkey),
		   (uint64_t)(uintptr_t)m + page - 4, mr->rkey) == IBV_WC_SUCCESS);
	CHECK(!memcmp(m + page - 4, &word, 8) && m[2 * page] == 0);
	/* Paging in for writing is refused. */
	CHECK(rdma(&l, IBV_WR_RDMA_WRITE, sge_of(&word, 8, mine->lkey), (uint64_t)(uintptr_t)m,
		   demand->rkey) == IBV_WC_WR_FLUSH_ERR);
	CHECK_RC(ibv_dereg_mr(mr), 0);
	CHECK_RC(ibv_dereg_mr(reads), 0);
	CHECK_RC(ibv_dereg_mr(demand), 0);
	CHECK_RC(ibv_dereg_mr(mine), 0);
	loop_close(&l);
	munmap(m, large);
}

static void test_on_demand(struct ibv_context *ctx)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const int demand = REMOTE | IBV_ACCESS_ON_DEMAND;
	char *hole = mmap(NULL, 4 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct ibv_sge sge;
	struct ibv_mr *mr, *whole, *plain;
	struct ibv_pd *other;
	struct loop l;
	char text[32] = "paged in";

	NEED(hole != MAP_FAILED);
	loop_open(&l, ctx);
	other = ibv_alloc_pd(ctx);
	munmap(hole, 4 * page);
	CHECK_NULL(ibv_reg_mr(l.pd, hole, 4 * page, REMOTE), EFAULT);
	mr = ibv_reg_mr(l.pd, hole, 4 * page, demand); /* need not be there yet */
	whole = ibv_reg_mr(l.pd, NULL, SIZE_MAX, demand);
	plain = ibv_reg_mr(l.pd, text, sizeof(text), REMOTE);
	NEED(mr && whole && plain);

	sge = sge_of(hole, 64, mr->lkey);
	CHECK_RC(ibv_advise_mr(l.pd, IBV_ADVISE_MR_ADVICE_PREFETCH, IBV_ADVISE_MR_FLAG_FLUSH, &sge,
			       1),
		 EFAULT);
	CHECK_RC(ibv_advise_mr(l.pd, IBV_ADVISE_MR_ADVICE_PREFETCH, 0, &sge, 1), 0);
	CHECK_RC(ibv_advise_mr(other, IBV_ADVISE_MR_ADVICE_PREFETCH, 0, &sge, 1), EPERM);
	CHECK_RC(ibv_advise_mr(l.pd, (enum ibv_advise_mr_advice)77, 0, &sge, 1), EOPNOTSUPP);
	CHECK_RC(ibv_advise_mr(l.pd, IBV_ADVISE_MR_ADVICE_PREFETCH, 1u << 7, &sge, 1), EINVAL);
	sge.length = (uint32_t)(5 * page);
	CHECK_RC(ibv_advise_mr(l.pd, IBV_ADVISE_MR_ADVICE_PREFETCH, 0, &sge, 1), EFAULT);
	sge = sge_of(text, sizeof(text), plain->lkey);
	CHECK_RC(ibv_advise_mr(l.pd, IBV_ADVISE_MR_ADVICE_PREFETCH, 0, &sge, 1), ENOENT);

	/* Not there: an error of the access. There: data. */
	CHECK(rdma(&l, IBV_WR_RDMA_WRITE, sge, (uint64_t)(uintptr_t)hole, mr->rkey) ==
	      IBV_WC_WR_FLUSH_ERR);
	again(&l);
	NEED(mmap(hole, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		  -1, 0) == hole);
	CHECK(rdma(&l, IBV_WR_RDMA_WRITE, sge, (uint64_t)(uintptr_t)hole, mr->rkey) ==
	      IBV_WC_SUCCESS);
	CHECK(!strcmp(hole, "paged in"));
	/* The implicit region is the whole address space. */
	CHECK(rdma(&l, IBV_WR_RDMA_WRITE, sge_of(text, sizeof(text), whole->lkey),
		   (uint64_t)(uintptr_t)hole + page, whole->rkey) == IBV_WC_SUCCESS);
	CHECK(!strcmp(hole + page, "paged in"));
	CHECK_RC(ibv_dereg_mr(mr), 0);
	CHECK_RC(ibv_dereg_mr(whole), 0);
	CHECK_RC(ibv_dereg_mr(plain), 0);
	CHECK_RC(ibv_dealloc_pd(other), 0);
	loop_close(&l);
	munmap(hole, 4 * page);
}

/* Verbs and driver say the same of what may be paged in. */
static void test_on_demand_caps(struct ibv_context *ctx)
{
	struct mlx5dv_context dv = {.comp_mask = MLX5DV_CONTEXT_MASK_DC_ODP_CAPS};
	struct ibv_device_attr_ex dev;

	CHECK_RC(ibv_query_device_ex(ctx, NULL, &dev), 0);
	CHECK_RC(mlx5dv_query_device(ctx, &dv), 0);
	CHECK(dv.comp_mask & MLX5DV_CONTEXT_MASK_DC_ODP_CAPS);
	CHECK_EQ(dev.odp_caps.general_caps, (IBV_ODP_SUPPORT | IBV_ODP_SUPPORT_IMPLICIT));
	CHECK_EQ(dv.dc_odp_caps, dev.odp_caps.per_transport_caps.rc_odp_caps);
	CHECK_EQ(dv.dc_odp_caps, dev.xrc_odp_caps);
	CHECK(dev.odp_caps.per_transport_caps.ud_odp_caps ==
	      (IBV_ODP_SUPPORT_SEND | IBV_ODP_SUPPORT_SRQ_RECV));
}

static void test_null_and_foreign(struct ibv_context *ctx)
{
	struct ibv_mr *null, *mr;
	char text[32] = "stays";
	struct loop l;

	loop_open(&l, ctx);
	null = ibv_alloc_null_mr(l.pd);
	mr = ibv_reg_mr(l.pd, text, sizeof(text), REMOTE);
	NEED(null && mr);
	/* What is read into it vanishes, what is read from it is zero. */
	CHECK(rdma(&l, IBV_WR_RDMA_READ, sge_of(NULL, sizeof(text), null->lkey),
		   (uint64_t)(uintptr_t)text, mr->rkey) == IBV_WC_SUCCESS);
	CHECK(!strcmp(text, "stays"));
	CHECK(rdma(&l, IBV_WR_RDMA_WRITE, sge_of(NULL, sizeof(text), null->lkey),
		   (uint64_t)(uintptr_t)text, mr->rkey) == IBV_WC_SUCCESS);
	CHECK(!text[0]);
	CHECK_RC(ibv_dereg_mr(null), 0);
	CHECK_RC(ibv_dereg_mr(mr), 0);
	loop_close(&l);
}

/* A buffer of udmabuf if this machine has it, else a memfd, which is refused or stands in for one.
 */
static int make_buffer(size_t size, bool *real)
{
	struct udmabuf_create create = {.flags = UDMABUF_FLAGS_CLOEXEC, .size = size};
	const int mem = memfd_create("buffer", MFD_ALLOW_SEALING);
	const int dev = open("/dev/udmabuf", O_RDWR);
	int buffer;

	NEED(mem >= 0 && !ftruncate(mem, (off_t)size));
	*real = dev >= 0;
	if (dev < 0)
		return mem;
	NEED(!fcntl(mem, F_ADD_SEALS, F_SEAL_SHRINK));
	create.memfd = (uint32_t)mem;
	buffer = ioctl(dev, UDMABUF_CREATE, &create);
	NEED(buffer >= 0);
	close(mem);
	close(dev);
	return buffer;
}

static struct mlx5dv_devx_umem *umem_of_buffer(struct ibv_context *ctx, int fd, size_t offset,
					       size_t size)
{
	struct mlx5dv_devx_umem_in in = {
		.addr = (void *)offset,
		.size = size,
		.access = IBV_ACCESS_LOCAL_WRITE,
		.pgsz_bitmap = UINT64_MAX & ~(uint64_t)4095,
		.comp_mask = MLX5DV_UMEM_MASK_DMABUF,
		.dmabuf_fd = fd,
	};

	return mlx5dv_devx_umem_reg_ex(ctx, &in);
}

/* Rings of DEVX objects may lie in a buffer, too. */
static void test_umem(struct ibv_context *ctx, int fd)
{
	struct mlx5dv_devx_umem *umem = umem_of_buffer(ctx, fd, 4096, 2 * 4096);

	NEED(umem);
	CHECK_RC(mlx5dv_devx_umem_dereg(umem), 0);
	CHECK_NULL(umem_of_buffer(ctx, fd, 4096, 2 * 4096 + 1), EINVAL);
	CHECK_NULL(umem_of_buffer(ctx, 999, 0, 4096), EBADF);
}

static void test_dma_buffer(struct ibv_context *ctx, bool memfd)
{
	const size_t size = 3 * 4096;
	const int access = REMOTE;
	char text[32] = "in a buffer of another device";
	struct ibv_mr *far, *mr;
	bool real;
	const int fd = make_buffer(size, &real);
	char *view = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	int pipes[2];
	struct loop l;

	NEED(view != MAP_FAILED && !pipe(pipes));
	loop_open(&l, ctx);
	CHECK_NULL(ibv_reg_dmabuf_mr(l.pd, 0, 4096, 0, 999, access), EBADF);
	CHECK_NULL(ibv_reg_dmabuf_mr(l.pd, 0, 4096, 0, pipes[0], access), EINVAL);
	far = ibv_reg_dmabuf_mr(l.pd, 4096 + 100, 6000, 0x10000064, fd, access);
	if (!real && !memfd) {
		CHECK(!far);
		CHECK_NULL(ibv_reg_dmabuf_mr(l.pd, 4096 + 100, 6000, 0x10000064, fd, access),
			   EINVAL);
	} else {
		NEED(far);
		CHECK_NULL(ibv_reg_dmabuf_mr(l.pd, 4096, 2 * 4096 + 1, 0, fd, access), EINVAL);
		CHECK_NULL(ibv_reg_dmabuf_mr(l.pd, 1, 4096, 0, fd, access), EINVAL);
		CHECK_NULL(ibv_reg_dmabuf_mr(l.pd, 0, 4096, 0, fd, IBV_ACCESS_ON_DEMAND), EINVAL);
		test_umem(ctx, fd);
		mr = ibv_reg_mr(l.pd, text, sizeof(text), REMOTE);
		NEED(mr);
		CHECK(rdma(&l, IBV_WR_RDMA_WRITE, sge_of(text, sizeof(text), mr->lkey),
			   0x10000064 + 5000, far->rkey) == IBV_WC_SUCCESS);
		CHECK(!strcmp(view + 4096 + 100 + 5000, text));
		strcpy(view + 4096 + 100, "back");
		CHECK(rdma(&l, IBV_WR_RDMA_READ, sge_of(text, 8, mr->lkey), 0x10000064,
			   far->rkey) == IBV_WC_SUCCESS);
		CHECK(!strcmp(text, "back"));
		CHECK(rdma(&l, IBV_WR_RDMA_READ, sge_of(text, 8, mr->lkey), 0x10000063,
			   far->rkey) != IBV_WC_SUCCESS);
		CHECK_RC(ibv_dereg_mr(far), 0);
		CHECK_RC(ibv_dereg_mr(mr), 0);
	}
	munmap(view, size);
	close(fd);
	close(pipes[0]);
	close(pipes[1]);
	loop_close(&l);
}

/* The clock runs, never goes back, and is not behind a completion that was seen. */
static void test_clock(struct ibv_context *ctx)
{
	struct ibv_values_ex v = {.comp_mask = IBV_VALUES_MASK_RAW_CLOCK};
	struct ibv_cq_init_attr_ex init = {.cqe = 16,
					   .wc_flags = IBV_WC_EX_WITH_COMPLETION_TIMESTAMP};
	struct ibv_cq_ex *cq = ibv_create_cq_ex(ctx, &init);
	struct mlx5dv_clock_info info;
	struct ibv_poll_cq_attr none = {0};
	struct ibv_send_wr nop = {.opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED}, *bad;
	const double end = seconds() + 30;
	uint64_t first, stamp;
	struct loop l;

	NEED(cq);
	CHECK_RC(ibv_query_rt_values_ex(ctx, &v), 0);
	first = (uint64_t)v.raw_clock.tv_nsec;
	do {
		v.comp_mask = IBV_VALUES_MASK_RAW_CLOCK;
		CHECK_RC(ibv_query_rt_values_ex(ctx, &v), 0);
		CHECK((uint64_t)v.raw_clock.tv_nsec >= first);
	} while ((uint64_t)v.raw_clock.tv_nsec < first + 1000000 && seconds() < end);
	CHECK((uint64_t)v.raw_clock.tv_nsec >= first + 1000000);
	CHECK_RC(mlx5dv_get_clock_info(ctx, &info), 0);
	CHECK(llabs((long long)mlx5dv_ts_to_ns(&info, (uint64_t)v.raw_clock.tv_nsec) / 1000000000 -
		    (long long)time(NULL)) < 60);

	loop_open(&l, ctx);
	CHECK_RC(ibv_destroy_qp(l.qp), 0);
	l.qp = ibv_create_qp(
		l.pd, &(struct ibv_qp_init_attr){.qp_type = IBV_QPT_RC,
						 .send_cq = ibv_cq_ex_to_cq(cq),
						 .recv_cq = ibv_cq_ex_to_cq(cq),
						 .cap = {.max_send_wr = 4, .max_recv_wr = 4}});
	NEED(l.qp);
	connect_self(l.qp, ctx);
	CHECK_RC(ibv_post_recv(l.qp, &(struct ibv_recv_wr){0}, &(struct ibv_recv_wr *){NULL}), 0);
	CHECK_RC(ibv_post_send(l.qp, &nop, &bad), 0);
	while (ibv_start_poll(cq, &none) && seconds() < end)
		;
	stamp = ibv_wc_read_completion_ts(cq);
	ibv_end_poll(cq);
	CHECK_RC(ibv_query_rt_values_ex(ctx, &v), 0);
	CHECK((uint64_t)v.raw_clock.tv_nsec >= stamp);
	CHECK(stamp > first);
	loop_close(&l);
	CHECK_RC(ibv_destroy_cq(ibv_cq_ex_to_cq(cq)), 0);
}

/* A copy may be as long as a count of 0 says, and libmlx5 posts none that is longer. The memory is
 * only promised, and none of it is touched. */
static void test_longest_copy(struct ibv_context *ctx)
{
	const uint64_t longest = UINT64_C(1) << 31, bytes = longest + 1;
	struct mlx5dv_context dv = {.comp_mask = MLX5DV_CONTEXT_MASK_WR_MEMCPY_LENGTH};
	struct mlx5dv_qp_init_attr with = {.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS,
					   .send_ops_flags = MLX5DV_QP_EX_WITH_MEMCPY};
	uint8_t *const at = mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct ibv_qp_ex *qp;
	struct ibv_mr *mr;
	struct loop l;

	NEED(at != MAP_FAILED);
	loop_open(&l, ctx);
	CHECK_RC(mlx5dv_query_device(ctx, &dv), 0);
	CHECK_EQ(dv.max_wr_memcpy_length, longest);
	CHECK_RC(ibv_destroy_qp(l.qp), 0);
	l.qp = mlx5dv_create_qp(
		ctx,
		&(struct ibv_qp_init_attr_ex){.qp_type = IBV_QPT_RC,
					      .send_cq = l.cq,
					      .recv_cq = l.cq,
					      .pd = l.pd,
					      .comp_mask = IBV_QP_INIT_ATTR_PD |
							   IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
					      .send_ops_flags = IBV_QP_EX_WITH_SEND,
					      .cap = {.max_send_wr = 4, .max_recv_wr = 4}},
		&with);
	mr = ibv_reg_mr(l.pd, at, 2 * bytes, IBV_ACCESS_LOCAL_WRITE);
	NEED(l.qp && mr);
	connect_self(l.qp, ctx);
	qp = ibv_qp_to_qp_ex(l.qp);
	ibv_wr_start(qp);
	mlx5dv_wr_memcpy(mlx5dv_qp_ex_from_ibv_qp_ex(qp), mr->lkey, (uintptr_t)at + bytes, mr->lkey,
			 (uintptr_t)at, bytes);
	CHECK_RC(ibv_wr_complete(qp), EINVAL);
	CHECK_RC(ibv_dereg_mr(mr), 0);
	loop_close(&l);
	munmap(at, 2 * bytes);
}

int main(int argc, char **argv)
{
	struct ibv_context *ctx = open_first();

	test_device_memory(ctx);
	test_device_memory_operations(ctx);
	test_read_only(ctx);
	test_on_demand(ctx);
	test_on_demand_caps(ctx);
	test_null_and_foreign(ctx);
	test_dma_buffer(ctx, argc > 1 && !strcmp(argv[1], "memfd"));
	test_clock(ctx);
	test_longest_copy(ctx);
	CHECK_RC(ibv_close_device(ctx), 0);
	printf("%d failures\n", failures);
	return failures != 0;
}
