// SPDX-License-Identifier: BSD-2-Clause
// Processes: a peer that is killed, fork() with registered memory, limits of locked memory, what
// the device does not have.
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "segue/endpoint.h"
#include "segue/peers/exchange.h"
#include "tests/runtime/control/faults.h"

class Processes : public Faulty {
protected:
	// A path to and the description of a queue pair, to be swapped over a socket.
	void swap(int fd, segue_qp *qp, segue_path *path)
	{
		segue_endpoint mine, theirs;

		ASSERT_OK(segue_path_init(path, device, 1));
		ASSERT_OK(segue_endpoint_describe(&mine, qp, path));
		ASSERT_OK(segue_exchange_fd(fd, &mine, segue_deadline_in_ms(PATIENCE_MS), &theirs));
		ASSERT_OK(segue_path_set_peer(path, &theirs));
		path->timeout = 1;
		path->retry_cnt = 1;
		ASSERT_OK(segue_qp_connect(qp, path));
	}

	// Runs in the child: a host of its own that connects and then does nothing.
	static int be_a_peer(int fd)
	{
		segue_device *device;
		segue_pd *pd;
		segue_cq *cq;
		segue_qp *qp;
		segue_cq_options cqs = {};
		segue_qp_options options = {};
		segue_endpoint mine, theirs;
		segue_path path;
		char byte = 0;

		cqs.entries = 16;
		options.type = SEGUE_QP_RC;
		options.max_send_wr = options.max_send_sge = 1;
		if (segue_device_open(nullptr, &device) || segue_pd_open(device, &pd) ||
		    segue_cq_open(device, &cqs, &cq))
			return 10;
		options.send_cq = options.recv_cq = cq;
		if (segue_qp_open(pd, &options, &qp) || segue_path_init(&path, device, 1) ||
		    segue_endpoint_describe(&mine, qp, &path) ||
		    segue_exchange_fd(fd, &mine, segue_deadline_in_ms(PATIENCE_MS), &theirs) ||
		    segue_path_set_peer(&path, &theirs) || segue_qp_connect(qp, &path))
			return 11;
		(void)!::write(fd, &byte, 1);
		(void)!::read(fd, &byte, 1); /* until it is killed */
		return 12;
	}

	// The status that a child ended with.
	static int status_of(pid_t child)
	{
		int status = -1;

		EXPECT_EQ(child, waitpid(child, &status, 0));
		return status;
	}
};

TEST_F(Processes, PeerIsKilled)
{
	segue_qp *qp = open(SEGUE_QP_RC);
	segue_path path;
	int fds[2];
	char byte;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	const pid_t child = fork();

	if (!child) {
		close(fds[0]);
		_exit(be_a_peer(fds[1]));
	}
	close(fds[1]);
	ASSERT_NO_FATAL_FAILURE(swap(fds[0], qp, &path));
	ASSERT_EQ(1, read(fds[0], &byte, 1));
	ASSERT_EQ(0, kill(child, SIGKILL));
	EXPECT_TRUE(WIFSIGNALED(status_of(child)));
	for (uint64_t i = 0; i < 3; i++)
		ASSERT_OK(send(qp, i));
	const std::vector<segue_wc> got = take(3);

	EXPECT_EQ((int)SEGUE_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR, got[0].syndrome)
		<< explain(got[0]);
	for (uint64_t i = 0; i < 3; i++)
		EXPECT_EQ(i, got[i].wr_id);
	close(fds[0]);
}

// The parent's transfers go on; the child makes objects of its own over its parent's device, can do
// nothing with the parent's here, is told so, and can have a device of its own.
TEST_F(Processes, ForkWithRegisteredMemory)
{
	const Pair p = pair();

	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	ASSERT_OK(write(p.a, 1));
	EXPECT_EQ(0, take(1)[0].syndrome);
	const pid_t child = fork();

	if (!child) {
		segue_device *own;
		segue_pd *other;
		int failed = 0;

		failed |= segue_pd_open(device, &other) != 0;
		failed |= (segue_qp_modify_to(p.a, SEGUE_QP_STATE_ERR, nullptr) != -EINVAL) << 1;
		failed |= (strstr(segue_errmsg(), "Queue pair 0x") == nullptr) << 2;
		failed |= (segue_device_open(nullptr, &own) != 0) << 3;
		failed |= (segue_device_close(own) != 0) << 4;
		_exit(failed);
	}
	const int status = status_of(child);

	ASSERT_TRUE(WIFEXITED(status)) << status;
	EXPECT_EQ(0, WEXITSTATUS(status));
	memset(from, 0x77, sizeof(from));
	ASSERT_OK(write(p.a, 2));
	EXPECT_EQ(0, take(1)[0].syndrome);
	EXPECT_EQ(0x77, to[63]);
}

// Prepared, a child that touches a registered page either sees what the parent had there (kernels
// that copy at fork) or ends with SIGSEGV, and the parent goes on in both cases. Only in a process
// that has not registered anything: see below.
TEST(Fork, DISABLED_Prepared)
{
	uint8_t *page = (uint8_t *)mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	segue_device *device;
	segue_pd *pd;
	segue_mr_options attr = {};
	segue_mr *mr;
	int status = 0;

	ASSERT_NE(MAP_FAILED, (void *)page);
	page[0] = 42;
	ASSERT_OK(segue_fork_prepare());
	ASSERT_NE(IBV_FORK_DISABLED, ibv_is_fork_initialized());
	ASSERT_OK(segue_device_open(nullptr, &device));
	ASSERT_OK(segue_pd_open(device, &pd));
	attr.addr = page;
	attr.length = 4096;
	ASSERT_OK(segue_mr_open(pd, &attr, &mr));
	const pid_t child = fork();

	if (!child) {
		signal(SIGSEGV, SIG_DFL);
		_exit(*(volatile uint8_t *)page == 42 ? 0 : 1);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_TRUE((WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV) ||
		    (WIFEXITED(status) && WEXITSTATUS(status) == 0))
		<< status;
	EXPECT_EQ(42, page[0]);
	ASSERT_OK(segue_device_close(device));
}

TEST_F(Processes, ForkPrepared)
{
	if (ibv_is_fork_initialized() == IBV_FORK_DISABLED) {
		EXPECT_EQ(-EINVAL, segue_fork_prepare());
		EXPECT_SAYS("has been registered already");
	}
	const pid_t fresh = fork();

	if (!fresh) {
		execl("/proc/self/exe", "reliability", "--gtest_filter=Fork.*",
		      "--gtest_also_run_disabled_tests", nullptr);
		_exit(20);
	}
	const int status = status_of(fresh);

	ASSERT_TRUE(WIFEXITED(status)) << status;
	EXPECT_EQ(0, WEXITSTATUS(status));
}

// What cannot be locked is refused with a hint at the limit.
TEST_F(Processes, LimitOfLockedMemory)
{
	segue_cq_options cqs = {};
	segue_qp_options options = options_for(SEGUE_QP_RC);
	segue_srq_options srqs = {};
	segue_mr_options attr = {};
	segue_cq *other;
	segue_srq *srq;
	segue_qp *qp;
	segue_mr *mr;

	cqs.entries = 64;
	srqs.max_wr = srqs.max_sge = 1;
	attr.addr = from;
	attr.length = sizeof(from);
	INJECT("command create_cq ENOMEM");
	INJECT("command create_qp ENOMEM");
	INJECT("command create_srq ENOMEM");
	INJECT("command create_xsrq ENOMEM");
	INJECT("command reg_mr ENOMEM");
	EXPECT_EQ(-ENOMEM, segue_cq_open(device, &cqs, &other));
	EXPECT_SAYS("No completion queue of 64 entries");
	EXPECT_SAYS("RLIMIT_MEMLOCK");
	EXPECT_EQ(-ENOMEM, segue_qp_open(pd, &options, &qp));
	EXPECT_SAYS("RLIMIT_MEMLOCK");
	EXPECT_EQ(-ENOMEM, segue_srq_open(pd, &srqs, &srq));
	EXPECT_SAYS("RLIMIT_MEMLOCK");
	EXPECT_EQ(-ENOMEM, segue_mr_open(pd, &attr, &mr));
	EXPECT_SAYS("RLIMIT_MEMLOCK");
	INJECT("clear");
	EXPECT_OK(segue_cq_open(device, &cqs, &other));
	EXPECT_OK(segue_mr_open(pd, &attr, &mr));
}

TEST_F(Processes, WhatTheDeviceDoesNotHave)
{
	segue_mr_options attr = {};
	segue_mr *mr;

	attr.addr = from;
	attr.length = sizeof(from);
	if (!segue_device_caps(device)->on_demand_paging) {
		attr.access = SEGUE_ACCESS_ON_DEMAND;
		EXPECT_EQ(-ENOTSUP, segue_mr_open(pd, &attr, &mr));
		EXPECT_SAYS("no on-demand paging");
	}
	attr.access = 0;
	attr.use_dmabuf = true;
	attr.dmabuf_fd = 0;
	INJECT("command reg_dmabuf_mr EOPNOTSUPP");
	EXPECT_EQ(-ENOTSUP, segue_mr_open(pd, &attr, &mr));
	EXPECT_SAYS("does not register dma-buf memory");
	INJECT("clear");
}
