// SPDX-License-Identifier: BSD-2-Clause
#include "tests/requests/rig.h"

#include <unistd.h>

#include <iterator>

#include "tests/requests/assembly.h"
#include "tests/requests/mirror.h"
#include "tests/runtime/libmlx5.h"
#include "tests/softhca/sig_oracle.h"

namespace requests {

std::vector<Recipe> &recipes()
{
	static std::vector<Recipe> all;

	return all;
}

void Rig::SetUp()
{
	oracle::Asked().clear();
	ASSERT_NO_FATAL_FAILURE(Control::SetUp());
	if (recipe.besides == "time stamps")
		cq = open_cq();
	here.fill(3);
	there.fill(101);
	here.mr = share(here.bytes, sizeof(here.bytes));
	there.mr = share(there.bytes, sizeof(there.bytes));
}

void Rig::TearDown()
{
	if (fits_link() && !IsSkipped()) {
		EXPECT_TRUE(walked) << "the recipe has not posted its request";
		answers.insert(oracle::Asked().begin(), oracle::Asked().end());
		if (recipe.make) { // else it is none
			EXPECT_EQ(recipe.oracles, answers) << "the recipe names those whom it "
							      "asks, and asks those whom it names";
		}
	}
	Control::TearDown();
}

bool Rig::fits_link() const
{
	segue_path path;

	if (recipe.link.empty() || segue_path_init(&path, device, 1))
		return true;
	return (recipe.link == "ib") == (path.link == SEGUE_LINK_IB);
}

segue_qp_options Rig::options_of(segue_qp_type type)
{
	segue_qp_options options = options_for(type);

	if (options.send_cq) {
		options.max_send_wr = 8;
		options.max_send_sge = 4;
		options.max_inline = 256;
		options.max_wqe_units = 63;
	}
	options.cross_channel = recipe.request == "send_en" && options.send_cq &&
				type != SEGUE_QP_RAW_PACKET;
	if (type == SEGUE_QP_RAW_PACKET) {
		options.recv_cq = cq;
		options.max_recv_wr = 16;
	}
	if (options.recv_cq)
		options.max_recv_sge = 4;
	return options;
}

segue_qp *Rig::open_one(segue_qp_type type)
{
	const segue_qp_options options = options_of(type);
	segue_qp *qp = nullptr;

	EXPECT_OK(segue_qp_open(pd, &options, &qp));
	return qp;
}

segue_cq *Rig::open_cq()
{
	segue_cq_options options = {};
	segue_cq *opened = nullptr;

	options.entries = 8000; // for all of the largest requests of many queue pairs
	options.timestamps = recipe.besides == "time stamps";
	EXPECT_OK(segue_cq_open(device, &options, &opened));
	return opened;
}

std::pair<segue_qp *, segue_qp *> Rig::witness()
{
	segue_qp *a = open_one(SEGUE_QP_RC), *b = open_one(SEGUE_QP_RC);

	connect(a, b);
	return {a, b};
}

void Rig::look_at(const segue_machine &machine, const std::vector<uint8_t> &bytes)
{
	Posted posted = take_apart(machine, bytes);

	EXPECT_EQ("", posted.offence);
	EXPECT_EQ(recipe.request, posted.request);
	EXPECT_EQ(recipe.queue, posted.queue);
	for (const std::string &use : recipe.uses)
		EXPECT_TRUE(posted.has(use.c_str()))
			<< "the recipe says that its WQE has a segment " << use;
	walked = true;
	posted.to = destination;
	posted.settings = settings;
	if (recipe.make && !recipe.refused && !HasFailure())
		ask_rdma_core(posted);
}

void Rig::ask_rdma_core(const Posted &posted)
{
	const bool posts = libmlx5_posts(posted);

	if (!posts && !mlx5dv_assembles(posted))
		return;
	const std::vector<uint8_t> theirs = posts ? as_libmlx5_posts(posted)
						  : as_mlx5dv_assembles(posted);

	asked(posts ? LIBMLX5 : MLX5DV);
	if (theirs != posted.bytes)
		ADD_FAILURE() << (posts ? LIBMLX5 : MLX5DV) << " has " << posted.request << " on "
			      << posted.queue << " as\n"
			      << Hex(theirs.data(), theirs.size()) << "Segue as\n"
			      << Hex(posted.bytes.data(), posted.bytes.size());
}

void Rig::saw(const segue_sq *sq, uint32_t pi)
{
	std::vector<uint8_t> wqe;

	for (; pi != sq->pi; pi++) {
		const uint8_t *block = sq->buf + (size_t)(pi & sq->mask) * SEGUEI_BLOCK;

		wqe.insert(wqe.end(), block, block + SEGUEI_BLOCK);
	}
	for (const segue_machine *const *m = segue_machines; *m; m++)
		if (recipe.queue == (*m)->name)
			look_at(**m, wqe);
}

void Rig::saw_receive(const segue_machine &machine, const uint8_t *wqe, size_t length)
{
	look_at(machine, std::vector<uint8_t>(wqe, wqe + length));
}

std::string Rig::explained(const segue_wc &wc)
{
	char text[1024] = "";

	segue_wc_explain(&wc, nullptr, text, sizeof(text));
	return text;
}

void Rig::complete(std::vector<uint64_t> wr_ids)
{
	std::vector<uint64_t> got;

	for (const segue_wc &wc : take(wr_ids.size())) {
		EXPECT_EQ(0, wc.syndrome) << explained(wc);
		got.push_back(wc.wr_id);
	}
	std::sort(wr_ids.begin(), wr_ids.end());
	std::sort(got.begin(), got.end());
	EXPECT_EQ(wr_ids, got);
}

void Rig::nothing_completes()
{
	const segue_deadline deadline = segue_deadline_in_ms(30);
	std::vector<segue_wc> got;

	while (segue_deadline_left_ms(deadline) > 0) {
		ASSERT_LE(0, segue_cq_poll_each(cq, 16, keep, &got)) << segue_errmsg();
		usleep(1000);
	}
	EXPECT_TRUE(got.empty());
}

void Rig::compare(bool patient)
{
	const segue_deadline deadline = segue_deadline_in_ms(10000);

	while (patient && !(here.as_wanted() && there.as_wanted()) &&
	       segue_deadline_left_ms(deadline) > 0) {
		std::vector<segue_wc> none;

		ASSERT_LE(0, found(segue_cq_poll_each(cq, 1, keep, &none)));
		ASSERT_TRUE(none.empty());
	}
	for (const Memory *memory : {&here, &there}) {
		const size_t at = memory->difference();

		EXPECT_EQ(Memory::SIZE, at)
			<< "byte " << at << " of the memory "
			<< (memory == &here ? "here" : "there") << " is " << (int)memory->bytes[at]
			<< ", expected " << (int)memory->want[at];
	}
}

} // namespace requests
