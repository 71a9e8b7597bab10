// SPDX-License-Identifier: BSD-2-Clause
// Every command of the device fails, at each place where it is given, with several error numbers:
// the call that needed it fails with a sentence that names what it was about, everything can be
// closed, nothing is left open, and the next try succeeds.
#include "segue/mkey.h"
#include "segue/mr.h"
#include "segue/pool.h"
#include "segue/raw_packet.h"
#include "tests/runtime/control/faults.h"
#include "tests/runtime/control/place.h"

// Allocations of the library itself (the linker sends them here): the n-th from now fails.
static long allocations_left = -1;

static bool allocation_fails()
{
	return allocations_left >= 0 && allocations_left-- == 0;
}

extern "C" {
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);

void *__wrap_malloc(size_t size)
{
	return allocation_fails() ? nullptr : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return allocation_fails() ? nullptr : __real_calloc(count, size);
}
}

namespace
{

// One of everything, opened step by step.
struct World {
	segue_device *device = nullptr;
	segue_pd *pd = nullptr;
	segue_xrcd *xrcd = nullptr;
	segue_comp_channel *channel = nullptr;
	segue_cq *cq = nullptr, *near_cq = nullptr, *enhanced_cq = nullptr,
		 *frame_cqs[2] = {};
	segue_rss *rss = nullptr;
	segue_flow *flow = nullptr;
	segue_srq *srq = nullptr, *xrc_srq = nullptr, *near_srq = nullptr;
	segue_mr *mr = nullptr, *paged = nullptr;
	segue_mw *mw = nullptr;
	segue_dm *dm = nullptr;
	segue_mkey *mkey = nullptr;
	segue_sigval *psv = nullptr;
	segue_dek *dek = nullptr;
	segue_pool *pool = nullptr;
	segue_ah *address = nullptr;
	segue_qp *rc = nullptr, *shared = nullptr, *uc = nullptr, *ud = nullptr,
		 *initiator = nullptr, *xrc_target = nullptr, *dci = nullptr, *dct = nullptr,
		 *near_rc = nullptr, *cross = nullptr, *near_cross = nullptr,
		 *enhanced = nullptr;
	ibv_pd *own_pd = nullptr;
	segue_pd *adopted = nullptr;
	segue_path path;
	uint8_t memory[256];
};

struct Step {
	const char *names; // what the sentence about a failure has in it
	int (*run)(World &w);
};

// Whether there is such memory here.
bool has_near(World &w)
{
	segue_place_info place;

	return !segue_device_query_place(w.device, &place) && place.numa_node >= 0 &&
	       may_bind(place.numa_node);
}

int open_qp(World &w, segue_qp_type type, segue_qp **out, segue_srq *srq = nullptr)
{
	segue_qp_options options = {};

	options.type = type;
	if (type != SEGUE_QP_XRC_TARGET && type != SEGUE_QP_DCT) {
		options.send_cq = w.cq;
		options.max_send_wr = 4;
		options.max_send_sge = 1;
	}
	if (type == SEGUE_QP_RC || type == SEGUE_QP_UC || type == SEGUE_QP_UD ||
	    type == SEGUE_QP_DCT)
		options.recv_cq = w.cq;
	if (options.recv_cq && !srq && type != SEGUE_QP_DCT)
		options.max_recv_wr = options.max_recv_sge = 2;
	if (out == &w.enhanced)
		options.send_cq = options.recv_cq = w.enhanced_cq;
	options.srq = srq;
	options.xrcd = type == SEGUE_QP_XRC_TARGET ? w.xrcd : nullptr;
	options.near_device = (out == &w.near_rc || out == &w.near_cross) && has_near(w);
	options.cross_channel = out == &w.cross;
	options.managed_send = out == &w.near_cross;
	options.dci_log_streams = options.dci_log_errored = type == SEGUE_QP_DCI ? 1 : 0;
	return segue_qp_open(w.pd, &options, out);
}

int make_path(World &w)
{
	segue_port_info port;
	segue_gid_info gid;
	int ret = segue_path_init(&w.path, w.device, 1);

	if (!ret)
		ret = segue_device_query_port(w.device, 1, &port);
	if (!ret)
		ret = segue_device_find_gid(w.device, 1, nullptr, &gid);
	if (ret)
		return ret;
	w.path.dest_qpn = 1;
	w.path.qkey = 1;
	if (w.path.link == SEGUE_LINK_IB)
		w.path.way.ib.dlid = port.lid;
	else
		w.path.way.roce.route.dgid = gid.gid;
	return 0;
}

void forget(const segue_wc *, void *) noexcept
{
}

const Step steps[] = {
	{"evice", [](World &w) { return segue_device_open(nullptr, &w.device); }},
	{"evice",
	 [](World &) {
		 segue_device *other;
		 const int ret = segue_device_open("mlx5_0", &other);

		 return ret ? ret : segue_device_close(other);
	 }},
	{"domain", [](World &w) { return segue_pd_open(w.device, &w.pd); }},
	{"XRC domain", [](World &w) { return segue_xrcd_open(w.device, -1, &w.xrcd); }},
	{"emory region",
	 [](World &w) {
		 segue_mr_options attr = {};

		 attr.addr = w.memory;
		 attr.length = sizeof(w.memory);
		 attr.access = SEGUE_ACCESS_REMOTE_WRITE;
		 return segue_mr_open(w.pd, &attr, &w.mr);
	 }},
	{"emory",
	 [](World &w) {
		 segue_pool_options options = {};

		 options.count = 4;
		 options.size = 64;
		 return segue_pool_open(w.pd, &options, &w.pool);
	 }},
	{"emory region",
	 [](World &w) {
		 segue_mr_options attr = {};

		 attr.addr = w.memory;
		 attr.length = sizeof(w.memory);
		 attr.access = SEGUE_ACCESS_ON_DEMAND;
		 return segue_device_caps(w.device)->on_demand_paging
				? segue_mr_open(w.pd, &attr, &w.paged)
				: 0;
	 }},
	{"emory region",
	 [](World &w) { return w.paged ? segue_mr_prefetch(w.paged, 0, sizeof(w.memory)) : 0; }},
	{"evice memory",
	 [](World &w) {
		 segue_dm_options options = {};

		 options.length = 64;
		 return segue_dm_open(w.pd, &options, &w.dm);
	 }},
	{"memory window", [](World &w) { return segue_mw_open(w.pd, SEGUE_MW_TYPE_2, &w.mw); }},
	// With signatures libmlx5 makes values of its own and leaks them when it cannot destroy
	// them either.
	{"indirect key", [](World &w) { return open_mkey(w.pd, 4, SEGUE_MKEY_CRYPTO, &w.mkey); }},
	{"signature value", [](World &w) { return segue_sigval_open(w.pd, &w.psv); }},
	{"encryption key",
	 [](World &w) {
		 segue_dek_options options = {};

		 options.bits = 128;
		 options.key = w.memory;
		 options.key_length = 32;
		 return segue_dek_open(w.pd, &options, &w.dek);
	 }},
	{"completion channel",
	 [](World &w) { return segue_comp_channel_open(w.device, &w.channel); }},
	{"ompletion queue",
	 [](World &w) {
		 segue_cq_options options = {};

		 options.entries = 1000;
		 options.channel = w.channel;
		 return segue_cq_open(w.device, &options, &w.cq);
	 }},
	{"ompletion queue",
	 [](World &w) {
		 const int ret = segue_cq_moderate(w.cq, 2, 10);

		 return ret == -EOPNOTSUPP ? 0 : ret; /* not every device can */
	 }},
	{"hared receive queue",
	 [](World &w) {
		 segue_srq_options options = {};

		 options.max_wr = 4;
		 options.max_sge = 1;
		 return segue_srq_open(w.pd, &options, &w.srq);
	 }},
	{"hared receive queue", [](World &w) { return segue_srq_arm_limit(w.srq, 1); }},
	{"hared receive queue",
	 [](World &w) {
		 segue_srq_options options = {};

		 options.max_wr = 4;
		 options.max_sge = 1;
		 options.xrcd = w.xrcd;
		 options.cq = w.cq;
		 return segue_srq_open(w.pd, &options, &w.xrc_srq);
	 }},
	// The same with rings near the device.
	{"ompletion queue",
	 [](World &w) {
		 segue_cq_options options = {};

		 options.entries = 100;
		 options.near_device = has_near(w);
		 return segue_cq_open(w.device, &options, &w.near_cq);
	 }},
	{"ompletion queue", [](World &w) { return segue_cq_resize(w.near_cq, 1000); }},
	// And made by raw commands.
	{"ompletion queue",
	 [](World &w) {
		 segue_cq_options options = {};

		 options.entries = 100;
		 options.compress = options.compress_enhanced = true;
		 return segue_cq_open(w.device, &options, &w.enhanced_cq);
	 }},
	{"hared receive queue",
	 [](World &w) {
		 segue_srq_options options = {};

		 options.max_wr = 4;
		 options.max_sge = 1;
		 options.near_device = has_near(w);
		 return segue_srq_open(w.pd, &options, &w.near_srq);
	 }},
	{"ueue pair", [](World &w) { return open_qp(w, SEGUE_QP_RC, &w.near_rc, w.near_srq); }},
	{"ueue pair", [](World &w) { return open_qp(w, SEGUE_QP_RC, &w.near_cross, w.near_srq); }},
	{"RC queue pair", [](World &w) { return open_qp(w, SEGUE_QP_RC, &w.cross); }},
	{"RC queue pair", [](World &w) { return open_qp(w, SEGUE_QP_RC, &w.enhanced); }},
	{"RC queue pair", [](World &w) { return open_qp(w, SEGUE_QP_RC, &w.rc); }},
	{"RC queue pair", [](World &w) { return open_qp(w, SEGUE_QP_RC, &w.shared, w.srq); }},
	{"UC queue pair", [](World &w) { return open_qp(w, SEGUE_QP_UC, &w.uc); }},
	{"UD queue pair", [](World &w) { return open_qp(w, SEGUE_QP_UD, &w.ud); }},
	{"XRC initiator queue pair",
	 [](World &w) { return open_qp(w, SEGUE_QP_XRC_INITIATOR, &w.initiator); }},
	{"XRC target queue pair",
	 [](World &w) { return open_qp(w, SEGUE_QP_XRC_TARGET, &w.xrc_target); }},
	{"DCI queue pair", [](World &w) { return open_qp(w, SEGUE_QP_DCI, &w.dci); }},
	{"DCT queue pair", [](World &w) { return open_qp(w, SEGUE_QP_DCT, &w.dct, w.srq); }},
	{"ort ", make_path}, // it looks at all of them
	{"ompletion queue",
	 [](World &w) {
		 segue_cq_options options = {};
		 int ret = 0;

		 options.entries = 100;
		 for (segue_cq *&cq : w.frame_cqs)
			 ret = ret ? ret : segue_cq_open(w.device, &options, &cq);
		 return ret;
	 }},
	{"pread",
	 [](World &w) { // over one queue with strides would be a striding receive queue
		 segue_rss_options options = {};

		 options.cqs = w.frame_cqs;
		 options.queues = 2;
		 options.max_wr = options.max_sge = 1;
		 options.fields = SEGUE_RSS_SRC_IP;
		 options.ip = 4;
		 return w.path.link == SEGUE_LINK_ROCE ? segue_rss_open(w.pd, &options, &w.rss) : 0;
	 }},
	{"low rule",
	 [](World &w) {
		 segue_flow_rule rule = {};

		 rule.port = 1;
		 rule.ethertype = 0x88b5;
		 return w.rss ? segue_flow_open_to_rss(w.rss, &rule, &w.flow) : 0;
	 }},
	{"ddress", [](World &w) { return segue_ah_open(w.pd, &w.path, &w.address); }},
	{"ueue pair", [](World &w) { return segue_qp_connect(w.rc, &w.path); }},
	{"ueue pair", [](World &w) { return segue_qp_connect(w.cross, &w.path); }},
	{"ueue pair", [](World &w) { return segue_qp_connect(w.near_cross, &w.path); }},
	{"ueue pair", [](World &w) { return segue_qp_connect(w.enhanced, &w.path); }},
	{"ueue pair",
	 [](World &w) {
		 segue_qp_info info;

		 return segue_qp_query(w.enhanced, &info);
	 }},
	{"ueue pair", [](World &w) { return segue_qp_reset(w.enhanced, forget, nullptr); }},
	{"ueue pair",
	 [](World &w) {
		 segue_qp_info info;

		 return segue_qp_query(w.cross, &info);
	 }},
	{"ueue pair", [](World &w) { return segue_qp_reset(w.cross, forget, nullptr); }},
	{"ueue pair", [](World &w) { return segue_qp_connect(w.uc, &w.path); }},
	{"ueue pair", [](World &w) { return segue_qp_connect(w.ud, &w.path); }},
	{"ueue pair", [](World &w) { return segue_qp_connect(w.initiator, &w.path); }},
	{"ueue pair", [](World &w) { return segue_qp_connect(w.xrc_target, &w.path); }},
	{"ueue pair", [](World &w) { return segue_qp_connect(w.dci, &w.path); }},
	{"ueue pair", [](World &w) { return segue_qp_connect(w.dct, &w.path); }},
	{"ueue pair",
	 [](World &w) {
		 segue_qp_info info;

		 return segue_qp_query(w.rc, &info);
	 }},
	{"ueue pair",
	 [](World &w) {
		 return segue_qp_pause(w.rc, segue_deadline_in_ms(PATIENCE_MS), forget, nullptr);
	 }},
	{"ueue pair", [](World &w) { return segue_qp_resume(w.rc); }},
	{"ueue pair",
	 [](World &w) {
		 return segue_qp_flush(w.rc, segue_deadline_in_ms(PATIENCE_MS), forget, nullptr);
	 }},
	{"ueue pair", [](World &w) { return segue_qp_reset(w.rc, forget, nullptr); }},
	/* What was opened by others is adopted, and left to them. */
	{"domain",
	 [](World &w) {
		 w.own_pd = ibv_alloc_pd(segue_device_ibv(w.device));
		 return w.own_pd ? segue_pd_adopt(w.device, w.own_pd, &w.adopted) : 0;
	 }},
};

// Closing, one by one; what fails is tried once more.
const Step closing[] = {
	{"flow rule", [](World &w) { return segue_flow_close(w.flow); }},
	{"spread", [](World &w) { return segue_rss_close(w.rss); }},
	{"ompletion queue", [](World &w) { return segue_cq_close(w.frame_cqs[0]); }},
	{"ompletion queue", [](World &w) { return segue_cq_close(w.frame_cqs[1]); }},
	{"ddress", [](World &w) { return segue_ah_close(w.address); }},
	{"queue pair", [](World &w) { return segue_qp_close(w.near_cross); }},
	{"queue pair", [](World &w) { return segue_qp_close(w.cross); }},
	{"queue pair", [](World &w) { return segue_qp_close(w.enhanced); }},
	{"queue pair", [](World &w) { return segue_qp_close(w.near_rc); }},
	{"queue pair", [](World &w) { return segue_qp_close(w.dct); }},
	{"queue pair", [](World &w) { return segue_qp_close(w.dci); }},
	{"queue pair", [](World &w) { return segue_qp_close(w.xrc_target); }},
	{"queue pair", [](World &w) { return segue_qp_close(w.initiator); }},
	{"queue pair", [](World &w) { return segue_qp_close(w.ud); }},
	{"queue pair", [](World &w) { return segue_qp_close(w.uc); }},
	{"queue pair", [](World &w) { return segue_qp_close(w.shared); }},
	{"queue pair", [](World &w) { return segue_qp_close(w.rc); }},
	{"", [](World &w) { return segue_pool_close(w.pool); }},
	{"shared receive queue", [](World &w) { return segue_srq_close(w.xrc_srq); }},
	{"shared receive queue", [](World &w) { return segue_srq_close(w.near_srq); }},
	{"shared receive queue", [](World &w) { return segue_srq_close(w.srq); }},
	{"encryption key", [](World &w) { return segue_dek_close(w.dek); }},
	{"signature value", [](World &w) { return segue_sigval_close(w.psv); }},
	{"indirect key", [](World &w) { return segue_mkey_close(w.mkey); }},
	{"memory window", [](World &w) { return segue_mw_close(w.mw); }},
	{"device memory", [](World &w) { return segue_dm_close(w.dm); }},
	{"memory region", [](World &w) { return segue_mr_close(w.paged); }},
	{"memory region", [](World &w) { return segue_mr_close(w.mr); }},
	{"completion queue", [](World &w) { return segue_cq_close(w.near_cq); }},
	{"completion queue", [](World &w) { return segue_cq_close(w.enhanced_cq); }},
	{"completion queue", [](World &w) { return segue_cq_close(w.cq); }},
	{"completion channel", [](World &w) { return segue_comp_channel_close(w.channel); }},
	{"XRC domain", [](World &w) { return segue_xrcd_close(w.xrcd); }},
	{"protection domain", [](World &w) { return segue_pd_close(w.pd); }},
	{"", [](World &w) { return segue_device_close(w.device); }},
};

const char *const commands[] = {
	"get_context",
	"query_device",
	"query_port",
	"query_context",
	"query_gid",
	"query_gid_table",
	"alloc_async_fd",
	"alloc_pd",
	"reg_mr",
	"alloc_mw",
	"open_xrcd",
	"create_ah",
	"create_comp_channel",
	"create_cq",
	"modify_cq",
	"create_srq",
	"create_xsrq",
	"modify_srq",
	"query_srq",
	"create_qp",
	"modify_qp",
	"query_qp",
	"alloc_uar",
	"devx_general",
	"create_devx_obj",
	"reg_umem",
	"devx",
	"advise_mr",
	"create_wq",
	"modify_wq",
	"create_rwq_ind_table",
	"create_flow",
	"alloc_dm",
	"reg_dm_mr",
};

const char *const closing_commands[] = {
	"destroy_qp",	    "destroy_cq",  "destroy_srq",  "dereg_mr",
	"dealloc_mw",	    "dealloc_pd",  "close_xrcd",   "destroy_ah",
	"destroy_devx_obj", "destroy_uar", "destroy_flow", "destroy_rwq_ind_table",
	"destroy_wq",	    "free_dm",
};

const char *const errors[] = {"ENOMEM", "EINVAL", "EAGAIN", "EIO"};

// Opens everything, up to the first step that fails: its number, or that of all steps.
size_t open_all(World &w)
{
	size_t i = 0;

	while (i < sizeof(steps) / sizeof(steps[0]) && !steps[i].run(w))
		i++;
	return i;
}

constexpr size_t ALL = sizeof(steps) / sizeof(steps[0]);

void close_all(World &w)
{
	EXPECT_OK(segue_device_close(nullptr));
	EXPECT_OK(segue_pd_close(w.adopted));
	if (w.own_pd) {
		EXPECT_EQ(0, ibv_dealloc_pd(w.own_pd));
	}
	EXPECT_OK(segue_device_close(w.device));
	EXPECT_EQ(0u, open_objects());
}

} // namespace

TEST(Unwind, EverythingOpensAndCloses)
{
	World w;

	ASSERT_EQ(0, inject("clear"));
	ASSERT_EQ(ALL, open_all(w)) << segue_errmsg();
	EXPECT_LT(0u, open_objects());
	close_all(w);
}

// Opens everything while the rule holds, and closes it without; true if the rule fired. Adds to the
// failures of calls.
static bool unwinds(const std::string &rule, size_t *failures)
{
	SCOPED_TRACE(rule);
	World w;

	EXPECT_EQ(0, inject("clear"));
	EXPECT_EQ(0, inject(rule));
	const size_t reached = open_all(w);
	const bool met = faults_met();

	EXPECT_EQ(0, inject("clear"));
	if (reached < ALL) {
		EXPECT_TRUE(met);
		EXPECT_HAS(segue_errmsg(), steps[reached].names);
		++*failures;
	}
	close_all(w);
	return met;
}

TEST(Unwind, EveryCommandFails)
{
	size_t faults = 0, failures = 0, commands_met = 0;

	for (const char *command : commands) {
		size_t here = 0, failed = 0;

		for (size_t i = 0; i < (long_run() ? 4 : 1); i++) {
			const char *error = errors[i];
			const std::string rule = std::string("command ") + command + " " + error;

			/* Once; and from a place on, as libibverbs tries some in another way. */
			for (int nth = 1; unwinds(rule + " nth=" + std::to_string(nth), &failed) &&
					  !HasFailure();
			     nth++)
				here++;
			for (int nth = 0;
			     unwinds(rule + " every=1 after=" + std::to_string(nth), &failed) &&
			     !HasFailure();
			     nth++)
				here++;
			if (HasFailure())
				return;
		}
		if (long_run())
			printf("%-20s %3zu faults, %3zu failed calls\n", command, here, failed);
		faults += here;
		failures += failed;
		commands_met += here != 0;
	}
	printf("%zu faults of %zu commands, %zu failed calls\n", faults, commands_met, failures);
	EXPECT_LE(180u, faults);
	EXPECT_LE(20u, commands_met);
	World w;

	ASSERT_EQ(ALL, open_all(w)) << segue_errmsg();
	close_all(w);
}

TEST(Unwind, EveryAllocationFails)
{
	size_t failed = 0;

	ASSERT_EQ(0, inject("clear"));
	for (long nth = 0;; nth++) {
		SCOPED_TRACE(nth);
		World w;

		allocations_left = nth;
		const size_t reached = open_all(w);
		const bool met = allocations_left < 0;

		allocations_left = -1;
		if (reached < ALL) {
			EXPECT_SAYS("no memory for");
			failed++;
		}
		close_all(w);
		if (HasFailure() || !met)
			break;
	}
	printf("%zu allocations failed\n", failed);
	EXPECT_LE(30u, failed);
}

// Destroying fails once: it is said what is still open, and the next call closes it. (EIO is
// another thing: see reliability_events.cc.)
TEST(Unwind, EveryDestroyingFailsOnce)
{
	size_t faults = 0;

	for (const char *command : closing_commands) {
		for (const char *error : {"ENOMEM", "EBUSY", "EPERM"}) {
			for (int nth = 1; nth < 40; nth++) {
				SCOPED_TRACE(std::string(command) + " " + error + " " +
					     std::to_string(nth));
				bool failed = false;
				World w;

				INJECT("clear");
				ASSERT_EQ(ALL, open_all(w)) << segue_errmsg();
				EXPECT_OK(segue_pd_close(w.adopted));
				EXPECT_EQ(0, ibv_dealloc_pd(w.own_pd));
				INJECT(std::string("command ") + command + " " + error +
				       " nth=" + std::to_string(nth));
				for (const Step &step : closing) {
					if (!step.run(w))
						continue;
					EXPECT_HAS(segue_errmsg(), step.names);
					EXPECT_FALSE(failed);
					failed = true;
					EXPECT_OK(step.run(w));
				}
				EXPECT_EQ(0u, open_objects());
				if (HasFailure())
					return;
				if (!failed)
					break;
				faults++;
			}
		}
	}
	INJECT("clear");
	printf("%zu failures\n", faults);
	EXPECT_LE(20u, faults);
}

// The same at once, through the device.
TEST(Unwind, ClosingTheDeviceFailsAndIsRepeated)
{
	for (const char *command : closing_commands) {
		SCOPED_TRACE(command);
		World w;

		INJECT("clear");
		ASSERT_EQ(ALL, open_all(w)) << segue_errmsg();
		EXPECT_OK(segue_pd_close(w.adopted));
		EXPECT_EQ(0, ibv_dealloc_pd(w.own_pd));
		INJECT(std::string("command ") + command + " EBUSY nth=1");
		if (segue_device_close(w.device)) {
			EXPECT_SAYS("cannot be closed");
			EXPECT_OK(segue_device_close(w.device));
		}
		EXPECT_EQ(0u, open_objects());
	}
	INJECT("clear");
}
