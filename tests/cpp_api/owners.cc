/* SPDX-License-Identifier: BSD-2-Clause */
/* segue/segue.hpp over an emulated device: what owners close and when, and what results hold. */
#include <cstdio>
#include <cstring>
#include <vector>

#include "segue/mr.h"
#include "segue/segue.hpp"

namespace {

int failures;

void check(bool holds, const char *what, int line)
{
	if (holds)
		return;
	failures++;
	std::printf("FAIL: line %d: %s\n", line, what);
}

#define CHECK(condition) check(condition, #condition, __LINE__)

segue_cq_options sixteen()
{
	segue_cq_options options{};

	options.entries = 64;
	return options;
}

segue_qp_options small()
{
	segue_qp_options options{};

	options.max_send_wr = 4;
	options.max_send_sge = 1;
	options.max_recv_wr = 4;
	options.max_recv_sge = 1;
	return options;
}

/* Parents may go first: what was opened on them keeps them. */
void order()
{
	auto device = segue::device::open().value();
	auto pd = segue::pd::open(device).value();
	auto cq = segue::cq::open(device, sixteen()).value();
	auto qp = segue::rc_qp::open(pd, small(), cq).value();
	const auto number = qp.number();

	{
		auto gone = std::move(device);
		auto gone_too = std::move(pd);
		auto and_this = std::move(cq);

		CHECK(gone.get() && !device.get());
	}
	CHECK(qp.number() == number);
	CHECK(qp.sq() && qp.rq());
	qp = segue::qp<SEGUE_QP_RC>(std::move(qp)); /* to itself by way of another */
	CHECK(qp.number() == number);
}

void closing()
{
	auto device = segue::device::open().value();
	auto pd = segue::pd::open(device).value();
	const auto refused = device.close();

	CHECK(!refused && refused.error().code() == -EBUSY &&
	      std::strlen(refused.error().what()) > 20);
	CHECK(bool(pd.close()));
	CHECK(!pd.get() && bool(pd.close()));
	CHECK(bool(device.close()));
}

/* A close that fails leaves the object open, and says why: the queue serves a queue pair that
 * nobody here owns. */
void close_that_fails()
{
	auto device = segue::device::open().value();
	auto pd = segue::pd::open(device).value();
	auto cq = segue::cq::open(device, sixteen()).value();
	segue_qp_options options = small();
	segue_qp *qp = nullptr;

	options.type = SEGUE_QP_RC;
	options.send_cq = options.recv_cq = cq.get();
	segue::check(segue_qp_open(pd.get(), &options, &qp)).value();
	const auto refused = cq.close();
	CHECK(!refused && cq.get());
	segue::check(segue_qp_close(qp)).value();
	CHECK(bool(cq.close()));
}

void memory()
{
	auto device = segue::device::open().value();
	auto pd = segue::pd::open(device).value();
	std::vector<std::uint32_t> numbers(1024);
	const std::array<std::uint8_t, 64> constant{};
	auto mr = segue::mr::open(pd, numbers, SEGUE_ACCESS_REMOTE_READ).value();
	auto read_only = segue::mr::open_read_only(pd, constant).value();
	char plain[100];
	auto local = segue::mr::open(pd, plain).value();

	CHECK(mr.local(0, 4096)->length == 4096);
	CHECK(mr.remote(4095, 1)->addr == reinterpret_cast<std::uintptr_t>(numbers.data()) + 4095);
	CHECK(!mr.local(0, 4097) && mr.local(0, 4097).error().code() == -ERANGE);
	CHECK(!local.remote(0, 1) && local.remote(0, 1).error().code() == -EACCES);
	CHECK(bool(read_only.local(0, 64)));
}

void results()
{
	const auto none = segue::device::open("no_such_device");
	int went_on = 0;

	CHECK(!none && none.error().code() == -ENODEV);
	CHECK(std::string(none.error().what()).find("no_such_device") != std::string::npos);
	try {
		(void)segue::device::open("no_such_device").value();
		CHECK(false);
	} catch (const segue::error &error) {
		CHECK(error.code() == -ENODEV);
	}
	auto pd = segue::device::open().and_then([&](segue::device device) {
		went_on++;
		return segue::pd::open(device);
	});
	CHECK(pd && went_on == 1);
	CHECK(!segue::device::open("no_such_device").and_then([&](segue::device device) {
		went_on++;
		return segue::pd::open(device);
	}));
	CHECK(went_on == 1);
}

/* What has no class of its own. */
void others()
{
	auto device = segue::device::open().value();
	auto pd = segue::pd::open(device).value();
	segue_dm_options how{};

	how.length = 4096;
	auto dm = segue::own<segue_dm>(
		[&](segue_dm **out) { return segue_dm_open(pd.get(), &how, out); }, segue_dm_close,
		pd);
	CHECK(dm && dm->get());
	CHECK(!pd.close());
	CHECK(bool(dm->close()) && bool(pd.close()));
}

void types()
{
	auto device = segue::device::open().value();
	auto pd = segue::pd::open(device).value();
	auto cq = segue::cq::open(device, sixteen()).value();
	segue_qp_options options = small();

	CHECK(bool(segue::uc_qp::open(pd, options, cq)));
	CHECK(bool(segue::ud_qp::open(pd, options, cq)));
	segue_srq_options shared{};
	shared.max_wr = 8;
	shared.max_sge = 1;
	auto srq = segue::srq::open(pd, shared).value();
	options.max_recv_wr = options.max_recv_sge = 0;
	auto qp = segue::rc_qp::open(pd, options, cq, cq, srq);
	CHECK(qp && !srq.close() && !qp->rq());
	CHECK(bool(segue::dci_qp::open(pd, options, cq)));
	int seen = 0;
	CHECK(*cq.poll(4, [&](const segue_wc &) { seen++; }) == 0 && seen == 0);
}

} // namespace

int main()
{
	order();
	closing();
	close_that_fails();
	memory();
	results();
	others();
	types();
	std::printf("%d failures\n", failures);
	return failures != 0;
}
