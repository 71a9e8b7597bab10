/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/efa/libefa.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

#include <infiniband/efadv.h>
#include <rdma/efa-abi.h>

namespace
{

/* Places in the file that stands for the device; all mmap() keys are offsets into it. */
constexpr uint64_t kCompletionAt = 0x10000;
constexpr uint64_t kReceiveAt = 0x20000;
constexpr uint64_t kSendAt = 0x30000;
constexpr uint64_t kDoorbellAt = 0x40000;
constexpr uint64_t kFileSize = 0x50000;
constexpr uint32_t kPage = 0x1000;
constexpr uint32_t kQpn = 0x12; /* below max_qp */

/* libibverbs' driver.h, which no package installs: what a provider registers, as far as it is used
 * here. */
struct ProviderOps {
	const char *name;
	uint32_t min_abi, max_abi;
	const void *match_table;
	const void *static_providers;
	const void *match_device;
	verbs_context *(*alloc_context)(ibv_device *device, int fd, void *data);
	const void *import_context;
	ibv_device *(*alloc_device)(void *sysfs);
	const void *uninit_device;
};

const ProviderOps *provider;
uint16_t next_ah;

/* What the driver appends to an answer of libibverbs: its last bytes. */
template <class T> T *Appended(void *answer, size_t size)
{
	return reinterpret_cast<T *>(static_cast<uint8_t *>(answer) + size - sizeof(T));
}

[[noreturn]] void Fail(const char *what)
{
	std::perror(what);
	std::abort();
}

} // namespace

/* What libefa calls in libibverbs. The program's own functions go before those of a shared library.
 */
extern "C" {

void verbs_register_driver_34(const void *ops)
{
	provider = static_cast<const ProviderOps *>(ops);
}

int ibv_cmd_get_context(verbs_context *, void *, size_t, void *answer, size_t size)
{
	auto *efa = Appended<efa_ibv_alloc_ucontext_resp>(answer, size);

	efa->cmds_supp_udata_mask = EFA_USER_CMDS_SUPP_UDATA_QUERY_DEVICE |
				    EFA_USER_CMDS_SUPP_UDATA_CREATE_AH;
	efa->sub_cqs_per_cq = 1;
	efa->inline_buf_size = 32;
	efa->max_llq_size = libefa::kSendEntries * 64;
	return 0;
}

int ibv_cmd_query_device_any(ibv_context *, const void *, ibv_device_attr_ex *attr, size_t size,
			     void *answer, size_t *answer_size)
{
	std::memset(attr, 0, size);
	attr->orig_attr.max_qp = 64;
	attr->orig_attr.max_sge_rd = 1;
	attr->orig_attr.max_qp_wr = libefa::kSendEntries;
	if (answer) {
		auto *efa = Appended<efa_ibv_ex_query_device_resp>(answer, *answer_size);

		efa->max_sq_wr = libefa::kSendEntries;
		efa->max_rq_wr = libefa::kReceiveEntries;
		efa->max_sq_sge = 2;
		efa->max_rq_sge = libefa::kReceiveSges;
		efa->device_caps = EFA_QUERY_DEVICE_CAPS_RDMA_READ;
	}
	return 0;
}

int ibv_cmd_alloc_pd(ibv_context *context, ibv_pd *pd, void *, size_t, void *, size_t)
{
	pd->context = context;
	return 0;
}

int ibv_cmd_create_cq_ex(ibv_context *context, const ibv_cq_init_attr_ex *attr, ibv_cq *cq, void *,
			 size_t, void *answer, size_t size, uint32_t)
{
	auto *efa = Appended<efa_ibv_create_cq_resp>(answer, size);

	cq->context = context;
	cq->cqe = static_cast<int>(attr->cqe);
	efa->q_mmap_key = kCompletionAt;
	efa->q_mmap_size = kPage;
	return 0;
}

int ibv_cmd_create_qp_ex(ibv_context *context, ibv_qp *qp, ibv_qp_init_attr_ex *attr, void *,
			 size_t, void *answer, size_t size)
{
	auto *efa = Appended<efa_ibv_create_qp_resp>(answer, size);

	qp->context = context;
	qp->pd = attr->pd;
	qp->send_cq = attr->send_cq;
	qp->recv_cq = attr->recv_cq;
	qp->qp_type = attr->qp_type;
	qp->qp_num = kQpn;
	efa->rq_mmap_key = kReceiveAt;
	efa->rq_mmap_size = kPage;
	efa->rq_db_mmap_key = kDoorbellAt;
	efa->sq_db_mmap_key = kDoorbellAt;
	efa->sq_db_offset = 8;
	efa->llq_desc_mmap_key = kSendAt;
	return 0;
}

int ibv_cmd_create_ah(ibv_pd *pd, ibv_ah *ah, ibv_ah_attr *, void *answer, size_t size)
{
	ah->context = pd->context;
	ah->pd = pd;
	Appended<efa_ibv_create_ah_resp>(answer, size)->efa_address_handle = next_ah;
	return 0;
}

int ibv_cmd_modify_qp(ibv_qp *, ibv_qp_attr *, int, void *, size_t)
{
	return 0;
}
}

namespace libefa
{

static const uint8_t *Map(int fd, uint64_t at)
{
	void *found = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			   static_cast<off_t>(at));

	if (found == MAP_FAILED)
		Fail("mmap");
	return static_cast<const uint8_t *>(found);
}

static ibv_qp *MakeQp(const Queue &queue, bool srd)
{
	ibv_qp_init_attr_ex attr = {};
	efadv_qp_init_attr efa = {};
	ibv_qp *qp;

	attr.send_cq = attr.recv_cq = queue.cq;
	attr.cap = {kSendEntries, kReceiveEntries / kReceiveSges, 2, kReceiveSges, 32};
	attr.qp_type = srd ? IBV_QPT_DRIVER : IBV_QPT_UD;
	attr.sq_sig_all = 0;
	attr.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
	attr.pd = queue.pd;
	attr.send_ops_flags = IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM;
	if (srd)
		attr.send_ops_flags |= IBV_QP_EX_WITH_RDMA_READ;
	efa.driver_qp_type = EFADV_QP_DRIVER_TYPE_SRD;
	qp = srd ? efadv_create_qp_ex(queue.context, &attr, &efa, sizeof(efa))
		 : ibv_create_qp_ex(queue.context, &attr);
	if (!qp)
		Fail("create a queue pair");
	return qp;
}

Queue Open(bool srd)
{
	const int fd = memfd_create("efa", 0);
	Queue queue = {};
	ibv_qp_attr attr = {};
	ibv_device *device;

	if (!provider || fd < 0 || ftruncate(fd, kFileSize))
		Fail("open");
	device = provider->alloc_device(nullptr);
	/* Which provider a device is of stands behind the public part. */
	*reinterpret_cast<const ProviderOps **>(device + 1) = provider;
	queue.context = &provider->alloc_context(device, fd, nullptr)->context;
	queue.pd = ibv_alloc_pd(queue.context);
	queue.cq = ibv_create_cq(queue.context, kCompletions, nullptr, nullptr, 0);
	if (!queue.pd || !queue.cq)
		Fail("create a completion queue");
	queue.qp = MakeQp(queue, srd);
	queue.qpx = ibv_qp_to_qp_ex(queue.qp);
	attr.qp_state = IBV_QPS_RTS;
	if (ibv_modify_qp(queue.qp, &attr, IBV_QP_STATE))
		Fail("modify the queue pair");
	queue.send = Map(fd, kSendAt);
	queue.receive = Map(fd, kReceiveAt);
	queue.completions = const_cast<uint8_t *>(Map(fd, kCompletionAt));
	return queue;
}

ibv_ah *MakeAh(const Queue &queue, uint16_t number)
{
	ibv_ah_attr attr = {};
	ibv_ah *ah;

	next_ah = number;
	ah = ibv_create_ah(queue.pd, &attr);
	if (!ah)
		Fail("create an address handle");
	return ah;
}

} // namespace libefa
