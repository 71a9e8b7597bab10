// SPDX-License-Identifier: BSD-2-Clause
#include "tests/requests/rig.h"

#include <iterator>

namespace requests {

std::vector<Recipe> &recipes()
{
	static std::vector<Recipe> all;

	return all;
}

void Rig::SetUp()
{
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

void Rig::walk(const segue_machine &machine, const uint8_t *wqe, size_t length)
{
	struct Seen {
		Names segments;
	} seen;
	segue_offence offence = {};
	char text[512] = "";
	const segue_start *start = seguei_walk(
		&machine, wqe, length,
		[](void *arg, const seguei_step_seen *step) {
			if (step->symbol && step->symbol->op != SEGUE_SYMBOL_TERMINATOR && step->size)
				static_cast<Seen *>(arg)->segments.insert(step->segment->name);
		},
		&seen, &offence);

	if (offence.kind != SEGUE_OFFENCE_NONE)
		segue_offence_print(&offence, text, sizeof(text));
	EXPECT_STREQ("", text);
	ASSERT_NE(nullptr, start);
	EXPECT_EQ(recipe.request, start->name);
	EXPECT_EQ(recipe.queue, machine.name);
	for (const std::string &use : recipe.uses)
		EXPECT_TRUE(seen.segments.count(use)) << "the recipe says that its WQE has a segment " << use;
	walked = true;
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
			walk(**m, wqe.data(), wqe.size());
}

void Rig::saw_receive(const segue_machine &machine, const uint8_t *wqe, size_t length)
{
	walk(machine, wqe, length);
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

	while (segue_deadline_left_ms(deadline) > 0)
		ASSERT_LE(0, segue_cq_poll(cq, 16, keep, &got)) << segue_errmsg();
	EXPECT_TRUE(got.empty());
}

void Rig::compare(bool patient)
{
	const segue_deadline deadline = segue_deadline_in_ms(10000);

	while (patient && !(here.as_wanted() && there.as_wanted()) && segue_deadline_left_ms(deadline) > 0) {
		std::vector<segue_wc> none;

		ASSERT_LE(0, segue_cq_poll(cq, 1, keep, &none)) << segue_errmsg();
		ASSERT_TRUE(none.empty());
	}
	for (const Memory *memory : {&here, &there}) {
		const size_t at = memory->difference();

		EXPECT_EQ(Memory::SIZE, at) << "byte " << at << " of the memory " << (memory == &here ? "here" : "there") << " is "
					    << (int)memory->bytes[at] << ", expected " << (int)memory->want[at];
	}
}

} // namespace requests
