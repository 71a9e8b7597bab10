/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The queue on a GPU: 64 blocks of a kernel are the lanes, and a thread of the host is the strict
 * device of lanes.h, in memory of the host that both reach.
 *
 *	on_gpu ring|collapsed FIRST REQUESTS [FAIL]
 *
 * As of lanes.c, but REQUESTS are those of all blocks together, and nothing is done once more.
 */
#include "tests/freestanding/device_code.h"

#define SEGUE_FUNCTION	   static inline __host__ __device__
#define SEGUE_FREESTANDING __host__ __device__

#include <pthread.h>

#include "tests/gpu/lanes.h"

#define LANES 64u

__global__ void lanes_kernel(struct lanes *m, uint64_t seed, int *failed)
{
#ifdef __CUDACC_VER_MAJOR__
	const uint32_t lane = blockIdx.x;
#elif defined(__AMDGCN__)
	const uint32_t lane = __builtin_amdgcn_workgroup_id_x();
#else
	const uint32_t lane = __nvvm_read_ptx_sreg_ctaid_x();
#endif
	failed[lane] = lane_run(m, seed + lane);
}

#ifdef __CUDACC_VER_MAJOR__
static void must(cudaError_t ret)
{
	if (ret != cudaSuccess)
		wrong("cuda", cudaGetErrorString(ret), 0);
}

static void check(const struct lanes *m, const int *failed, bool expected)
{
	struct segue_gpu_error error;
	uint32_t lane;

	for (lane = 0; lane < LANES; lane++)
		if (failed[lane] != (expected ? -EIO : 0))
			wrong("error", "a lane ended otherwise than the device answered", lane);
	if (segue_gpu_query_error(&m->queue, &error) != expected)
		wrong("error", "a failure was expected and not seen, or the reverse", m->executed);
	if (expected && !m->collapsed && (error.index != m->fail_at || error.syndrome != FAILURE))
		wrong("error", "another request is named, or another syndrome", error.index);
	if (!expected && (m->executed != (uint64_t)LANES * (m->requests + 1) ||
			  m->queue.done != m->queue.reserved))
		wrong("lost", "requests were not carried out", m->executed);
}

int main(int argc, char **argv)
{
	struct lanes *m = nullptr;
	int *failed = nullptr;
	pthread_t hardware;

	if (argc < 4)
		return 2;
	must(cudaHostAlloc((void **)&m, sizeof(*m), cudaHostAllocMapped));
	must(cudaHostAlloc((void **)&failed, LANES * sizeof(*failed), cudaHostAllocMapped));
	if (lanes_open(m, strtoull(argv[2], nullptr, 0), !strcmp(argv[1], "collapsed")))
		wrong("init", "the queue was refused", 0);
	m->requests = (uint32_t)(strtoull(argv[3], nullptr, 0) / LANES);
	if (argc > 4)
		m->fail_at = m->queue.first + strtoull(argv[4], nullptr, 0);
	pthread_create(&hardware, nullptr, device, m);
	lanes_kernel<<<LANES, 1>>>(m, 1, failed);
	must(cudaGetLastError());
	must(cudaDeviceSynchronize());
	__atomic_store_n(&m->stop, true, __ATOMIC_RELAXED);
	pthread_join(hardware, nullptr);
	check(m, failed, argc > 4);
	printf("right: %s, %" PRIu64 " requests by %u blocks, up to index %" PRIu64 "\n", argv[1],
	       m->executed, LANES, m->queue.done);
	return 0;
}
#endif
