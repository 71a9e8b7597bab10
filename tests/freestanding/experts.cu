/* SPDX-License-Identifier: BSD-2-Clause */
/* The example of a mixture-of-experts layer as a kernel: each block is a lane of one rank. */
#include "tests/freestanding/device_code.h"

#define SEGUE_FUNCTION	   static inline __device__
#define SEGUE_FREESTANDING __device__

#include "docs/examples/experts.h"

#ifdef __CUDACC_VER_MAJOR__
#define EXPERTS_LANE  blockIdx.x
#define EXPERTS_LANES gridDim.x
#elif defined(__AMDGCN__)
#define EXPERTS_LANE  __builtin_amdgcn_workgroup_id_x()
#define EXPERTS_LANES 8u
#else
#define EXPERTS_LANE  __nvvm_read_ptx_sreg_ctaid_x()
#define EXPERTS_LANES __nvvm_read_ptx_sreg_nctaid_x()
#endif

__global__ void experts_kernel(struct experts *e, int *ret)
{
	const int ended = experts_run(e, EXPERTS_LANE, EXPERTS_LANES);

	if (ended)
		*ret = ended;
}
