// SPDX-License-Identifier: BSD-2-Clause
// Keys made by one call: what they name, that their requests are those of the builders, and what is
// refused before anything is posted.
#include "segue/decode.h"
#include "segue/mkey.h"
#include "segue/qp.h"
#include "tests/requests/keys.h"
#include "tests/requests/transports.h"

namespace requests {
namespace {

const Recipe BY_CALL = {"rc", "umr_list", {}, How::ONE_CALL, "", {}, nullptr};
const Recipe STRIDED_BY_CALL = {"rc", "umr_interleaved", {}, How::ONE_CALL, "", {}, nullptr};

constexpr uint32_t RIGHTS = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE |
			    SEGUE_ACCESS_REMOTE_READ;
constexpr uint64_t RIGHTS_MASK = SEGUE_MKEY_MASK_FREE | SEGUE_MKEY_MASK_MKEY | SEGUE_MKEY_MASK_LEN |
				 SEGUE_MKEY_MASK_ACCESS_LOCAL_WRITE |
				 SEGUE_MKEY_MASK_ACCESS_REMOTE_READ |
				 SEGUE_MKEY_MASK_ACCESS_REMOTE_WRITE |
				 SEGUE_MKEY_MASK_ACCESS_ATOMIC;

class Calls : public Ends<Rc> {
protected:
	explicit Calls(const Recipe &said) : Ends<Rc>(said, nullptr) {}

	segue_mkey_layout umr_of(segue_mkey *mkey)
	{
		segue_mkey_layout umr = {};

		umr.wr_id = SEND_ID;
		umr.flags = SEGUE_SIGNALED;
		umr.mkey = mkey;
		umr.access = RIGHTS;
		return umr;
	}
	segue_local_buf local(const Memory &m, size_t at, uint32_t length)
	{
		segue_local_buf piece = {};

		EXPECT_OK(segue_mr_local_buf(m.mr, at, length, &piece));
		return piece;
	}
	// The request's bytes, its number in the ring left out.
	std::vector<uint8_t> wqe(uint32_t from)
	{
		std::vector<uint8_t> bytes;

		for (; from != sq()->sq.pi; from++) {
			const uint8_t *block = sq()->sq.buf +
					       (size_t)(from & sq()->sq.mask) * SEGUEI_BLOCK;

			bytes.insert(bytes.end(), block, block + SEGUEI_BLOCK);
		}
		bytes[1] = bytes[2] = 0;
		return bytes;
	}
	segue_seg_mkey_context context(segue_mkey *mkey, uint64_t length)
	{
		segue_seg_mkey_context c = key_context(segue_mkey_lkey(mkey).lkey, length);

		c.en_rinval = 0;
		return c;
	}
	void refused(int ret, const char *why)
	{
		EXPECT_EQ(-EINVAL, ret);
		EXPECT_SAYS(why);
		EXPECT_EQ(posted, sq()->sq.pi);
	}
	// The next request is not behind a change of a key, so it waits for nothing.
	void between()
	{
		segue_rc_nop_args nop = {};

		ASSERT_OK(segue_post_nop(sq(), &nop));
		posted = sq()->sq.pi;
	}
	uint32_t posted = 0;
};

class ListCalls : public Calls {
protected:
	ListCalls() : Calls(BY_CALL) {}
};

class StridedCalls : public Calls {
protected:
	StridedCalls() : Calls(STRIDED_BY_CALL) {}
};

// One column of a matrix, sent as one piece of memory.
TEST_F(StridedCalls, MatrixColumn)
{
	constexpr uint32_t ROWS = 50, COLS = 60, ELEMENT = 8, COLUMN = 17;
	segue_mkey *mkey = open_key(*this);
	const segue_mkey_layout umr = umr_of(mkey);
	const segue_strided_buf column = {local(here, COLUMN * ELEMENT, ELEMENT),
					  (COLS - 1) * ELEMENT};

	ASSERT_OK(segue_mkey_post_interleaved(sq(), &umr, ROWS, &column, 1));
	saw(&sq()->sq, posted);
	complete({SEND_ID});
	ASSERT_OK(segue_post(segue_sge(
		segue_raddr(segue_rdma_write(sq(), 2, SEGUE_SIGNALED), there.at(64), there.rkey()),
		0, ROWS * ELEMENT, segue_mkey_lkey(mkey).lkey)));
	complete({2});
	for (uint32_t row = 0; row < ROWS; row++)
		there.put(64 + row * ELEMENT, here.bytes + (row * COLS + COLUMN) * ELEMENT,
			  ELEMENT);
	compare();
}

// With any number of pieces, hence any padding; each request has the bytes of the builder's, which
// are libmlx5's.
TEST_F(StridedCalls, AnyNumberOfPieces)
{
	segue_mkey *mkey = open_key(*this, 16);
	const segue_mkey_layout umr = umr_of(mkey);
	segue_strided_buf pieces[15];
	segue_seg_repeat_ent entries[15];
	uint32_t round = 0;

	for (uint32_t i = 0; i < 15; i++) {
		const uint32_t at = 100 + 2000 * i, length = 10 + 3 * i, skip = 5 * i;

		pieces[i] = {local(there, at, length), skip};
		entries[i] = {(uint16_t)(length + skip), (uint16_t)length, there.lkey(),
			      there.at(at)};
	}
	EXPECT_EQ(15u, segue_mkey_interleaved_max(sq(), mkey));
	for (uint32_t n = 1; n <= 15; n++) {
		round += pieces[n - 1].block.length;
		const segue_seg_mkey_context key = context(mkey, 4 * round);

		between();
		ASSERT_OK(segue_mkey_post_interleaved(sq(), &umr, 4, pieces, n));
		saw(&sq()->sq, posted);
		const std::vector<uint8_t> by_call = wqe(posted);

		between();
		segue_rc_umr_interleaved_args args = {};
		args.wr_id = SEND_ID;
		args.flags = SEGUE_SIGNALED;
		args.mkey = segue_mkey_lkey(mkey).lkey;
		args.klm_octowords = (uint16_t)((n + 1 + 3) / 4 * 4);
		args.mkey_mask = RIGHTS_MASK;
		args.mkey_context = &key;
		args.byte_count = round, args.repeat_count = 4, args.num_ent = (uint16_t)n;
		args.repeat_ents = entries, args.repeat_ent_count = n;
		ASSERT_OK(segue_post_umr_interleaved(sq(), &args));
		EXPECT_EQ(wqe(posted), by_call) << n;
		complete({SEND_ID, SEND_ID});

		ASSERT_EQ(0, write_through(*this, b, segue_mkey_rkey(mkey).rkey, 4 * round));
		size_t from = 0;
		for (uint32_t turn = 0; turn < 4; turn++)
			for (uint32_t i = 0; i < n; i++) {
				there.put(100 + 2000 * i +
						  turn * (pieces[i].block.length + pieces[i].skip),
					  here.bytes + from, pieces[i].block.length);
				from += pieces[i].block.length;
			}
		compare();
	}
}

TEST_F(StridedCalls, Refused)
{
	segue_mkey *mkey = open_key(*this, 4);
	segue_mkey_layout umr = umr_of(mkey);
	segue_strided_buf pieces[4] = {};

	for (segue_strided_buf &piece : pieces)
		piece.block = local(here, 0, 100);
	refused(segue_mkey_post_interleaved(sq(), &umr, 1, pieces, 4), "4 pieces, expected 1 to 3");
	refused(segue_mkey_post_interleaved(sq(), &umr, 1, pieces, 0), "0 pieces, expected 1 to 3");
	refused(segue_mkey_post_interleaved(sq(), &umr, 0, pieces, 1), "repeat is 0");
	pieces[1].skip = 65436;
	refused(segue_mkey_post_interleaved(sq(), &umr, 1, pieces, 2),
		"piece 1 has blocks of 100 bytes and skips 65436");
	pieces[1].block.length = 0;
	refused(segue_mkey_post_interleaved(sq(), &umr, 1, pieces, 2),
		"piece 1 has blocks of 0 bytes");
	refused(segue_mkey_post_interleaved(sq(), &umr, 1, nullptr, 1), "pieces is NULL");
	refused(segue_mkey_post_interleaved(sq(), nullptr, 1, pieces, 1), "umr is NULL");
	refused(segue_mkey_post_interleaved(nullptr, &umr, 1, pieces, 1), "sq is NULL");
	refused(segue_mkey_post_list(sq(), &umr, nullptr, 1), "pieces is NULL");
	umr.mkey = nullptr;
	refused(segue_mkey_post_interleaved(sq(), &umr, 1, pieces, 1), "mkey is NULL");
	walked = true; // nothing was posted
}

// What the parts of a request say of its list must agree: the builders refuse it, and the validator
// says what does not fit.
TEST_F(StridedCalls, SizesThatDoNotAgree)
{
	segue_mkey *mkey = open_key(*this, 16);
	const segue_mkey_layout umr = umr_of(mkey);
	const segue_strided_buf pieces[2] = {{local(there, 0, 100), 7},
					     {local(there, 4000, 20), 0}};
	const segue_seg_repeat_ent entries[2] = {{107, 100, there.lkey(), there.at(0)},
						 {20, 20, there.lkey(), there.at(4000)}};
	const segue_seg_mkey_context key = context(mkey, 480);
	segue_rc_umr_interleaved_args args = {};

	args.flags = SEGUE_SIGNALED;
	args.mkey = segue_mkey_lkey(mkey).lkey;
	args.klm_octowords = 4;
	args.mkey_mask = RIGHTS_MASK;
	args.mkey_context = &key;
	args.byte_count = 120, args.repeat_count = 4, args.num_ent = 2;
	args.repeat_ents = entries, args.repeat_ent_count = 2;
	for (auto wrong : {+[](segue_rc_umr_interleaved_args *a) { a->klm_octowords = 3; },
			   +[](segue_rc_umr_interleaved_args *a) { a->klm_octowords = 8; },
			   +[](segue_rc_umr_interleaved_args *a) { a->byte_count = 100; },
			   +[](segue_rc_umr_interleaved_args *a) { a->num_ent = 3; }}) {
		segue_rc_umr_interleaved_args bad = args;

		wrong(&bad);
		EXPECT_EQ(-ERANGE, segue_post_umr_interleaved(sq(), &bad));
		EXPECT_EQ(posted, sq()->sq.pi);
	}
	ASSERT_OK(segue_mkey_post_interleaved(sq(), &umr, 4, pieces, 2));
	saw(&sq()->sq, posted);
	complete({SEND_ID});

	const std::vector<uint8_t> good = wqe(posted);
	const struct {
		size_t at; // control 16, UMR control 48, key 64, then the head of the list
		uint8_t value;
		const char *why;
	} cases[] = {
		{16 + 5, 3, "48 bytes announced"},          // klm_octowords: without padding
		{16 + 5, 8, "128 bytes announced"},
		{3 + 128, 100, "120 bytes over all entries"}, // byte_count
		// num_ent: the second entry is where zeros should be
		{15 + 128, 1, "a byte that is set"},
		{128 + 48 + 9, 1, "a byte that is set"},      // in the padding
	};
	for (const auto &c : cases) {
		std::vector<uint8_t> bytes = good;
		segue_offence offence;

		bytes[c.at] = c.value;
		EXPECT_EQ(-EINVAL, segue_wqe_validate(&segue_rc_machine, bytes.data(), bytes.size(),
						      &offence))
			<< c.why;
		EXPECT_NE(nullptr, strstr(offence.found, c.why)) << offence.found;
	}

	// The bytes that none needs are as many as two need.
	std::vector<uint8_t> none = good;
	segue_offence offence;

	std::fill(none.begin() + 128 + 16, none.end(), 0);
	none[3 + 128] = none[15 + 128] = 0;
	EXPECT_EQ(-EINVAL,
		  segue_wqe_validate(&segue_rc_machine, none.data(), none.size(), &offence));
	EXPECT_STREQ("0 entries announced", offence.found);
}

/* A list that is announced wrongly is told by what has announced it, and not as a request that it
 * is not. */
TEST_F(ListCalls, OctowordsAreNamed)
{
	segue_mkey *mkey = open_key(*this, 12);
	const segue_mkey_layout umr = umr_of(mkey);
	const segue_local_buf pieces[3] = {local(there, 0, 30), local(there, 500, 31),
					   local(there, 900, 32)};
	const struct {
		size_t at;
		uint8_t value;
		const char *found;
	} cases[] = {
		{16 + 5, 8,
		 "128 bytes announced ('klm_octowords' of segment 'umr_ctrl' is 8), 64 left in the "
		 "WQE"},
		{16 + 5, 3,
		 "48 bytes announced ('klm_octowords' of segment 'umr_ctrl' is 3), 64 left in the "
		 "WQE"},
		{16 + 5, 0,
		 "0 bytes announced ('klm_octowords' of segment 'umr_ctrl' is 0), and 64 more "
		 "behind them"},
	};

	ASSERT_OK(segue_mkey_post_list(sq(), &umr, pieces, 3));
	saw(&sq()->sq, posted);
	complete({SEND_ID});
	const std::vector<uint8_t> good = wqe(posted);
	for (const auto &c : cases) {
		std::vector<uint8_t> bytes = good;
		segue_offence offence;

		bytes[c.at] = c.value;
		EXPECT_EQ(-EINVAL, segue_wqe_validate(&segue_rc_machine, bytes.data(), bytes.size(),
						      &offence));
		EXPECT_STREQ("umr_list", offence.request) << c.found;
		EXPECT_NE(nullptr, strstr(offence.found, c.found)) << offence.found;
		EXPECT_EQ(-EINVAL, segue_qp_post_raw_wqe(a, SEND_ID, bytes.data(), bytes.size()));
		EXPECT_SAYS(c.found);
	}
}

TEST_F(ListCalls, AnyNumberOfPieces)
{
	segue_mkey *mkey = open_key(*this, 12);
	const segue_mkey_layout umr = umr_of(mkey);
	segue_local_buf pieces[12];
	segue_seg_klm klms[12];
	uint32_t length = 0;

	for (uint32_t i = 0; i < 12; i++) {
		pieces[i] = local(there, 30000 - 2000 * i, 30 + i);
		klms[i] = {30 + i, there.lkey(), there.at(30000 - 2000 * i)};
	}
	EXPECT_EQ(12u, segue_mkey_list_max(sq(), mkey));
	for (uint32_t n = 1; n <= 12; n++) {
		length += pieces[n - 1].length;
		const segue_seg_mkey_context key = context(mkey, length);

		between();
		ASSERT_OK(segue_mkey_post_list(sq(), &umr, pieces, n));
		saw(&sq()->sq, posted);
		const std::vector<uint8_t> by_call = wqe(posted);

		between();
		ASSERT_OK(segue_post(segue_klm_list(
			segue_mkey_context(
				segue_umr_ctrl(segue_umr_list(sq(), SEND_ID, SEGUE_SIGNALED,
							      segue_mkey_lkey(mkey).lkey),
					       0, (uint16_t)((n + 3) / 4 * 4), RIGHTS_MASK),
				&key),
			klms, n)));
		EXPECT_EQ(wqe(posted), by_call) << n;
		complete({SEND_ID, SEND_ID});
		ASSERT_EQ(0, write_through(*this, b, segue_mkey_rkey(mkey).rkey, length));
		for (uint32_t i = 0, from = 0; i < n; from += pieces[i++].length)
			there.put(30000 - 2000 * i, here.bytes + from, pieces[i].length);
		compare();
	}
}

// Relaxed where it was asked for, and no more by the next layout that does not ask. A key of which
// nobody asked it has libmlx5's bytes, as the other tests see.
TEST_F(ListCalls, RelaxedOrdering)
{
	segue_mkey *mkey = open_key(*this, 4);
	const segue_local_buf piece = local(there, 500, 64);
	const segue_seg_klm klm = {64, there.lkey(), there.at(500)};
	const uint64_t mask = RIGHTS_MASK | SEGUE_MKEY_MASK_RELAXED_ORDERING_WRITE |
			      SEGUE_MKEY_MASK_RELAXED_ORDERING_READ;
	segue_seg_mkey_context key = context(mkey, 64);
	segue_mkey_layout umr = umr_of(mkey);

	EXPECT_TRUE(segue_device_caps(device)->umr_relaxed_writes);
	EXPECT_TRUE(segue_device_caps(device)->umr_relaxed_reads);
	for (bool relaxed : {true, false}) {
		umr.access = RIGHTS | (relaxed ? SEGUE_ACCESS_RELAXED_ORDERING : 0);
		between();
		ASSERT_OK(segue_mkey_post_list(sq(), &umr, &piece, 1));
		saw(&sq()->sq, posted);
		const std::vector<uint8_t> by_call = wqe(posted);

		key.relaxed_ordering_write = key.relaxed_ordering_read = relaxed;
		between();
		ASSERT_OK(segue_post(segue_klm_list(
			segue_mkey_context(
				segue_umr_ctrl(segue_umr_list(sq(), SEND_ID, SEGUE_SIGNALED,
							      segue_mkey_lkey(mkey).lkey),
					       0, 4, mask),
				&key),
			&klm, 1)));
		EXPECT_EQ(wqe(posted), by_call) << relaxed;
		complete({SEND_ID, SEND_ID});
		ASSERT_EQ(0, write_through(*this, b, segue_mkey_rkey(mkey).rkey, 64));
		there.put(500, here.bytes, 64);
		compare();
	}
}

TEST_F(ListCalls, Refused)
{
	segue_mkey *mkey = open_key(*this, 100);
	segue_mkey_layout umr = umr_of(mkey);
	segue_local_buf pieces[64] = {};

	for (segue_local_buf &piece : pieces)
		piece = local(here, 0, 8);
	// A queue pair's largest request has 63 units, of which 8 stand before the list.
	EXPECT_EQ(52u, segue_mkey_list_max(sq(), mkey));
	refused(segue_mkey_post_list(sq(), &umr, pieces, 53), "53 pieces, expected 1 to 52");
	pieces[3].length = 0;
	refused(segue_mkey_post_list(sq(), &umr, pieces, 4), "piece 3 is empty");
	umr.access = SEGUE_ACCESS_MW_BIND;
	refused(segue_mkey_post_list(sq(), &umr, pieces, 1), "access is 0x1000");

	segue_qp *small = open(SEGUE_QP_RC);

	EXPECT_EQ(0u, segue_mkey_list_max(segue_qp_rc_sq(small), mkey));
	walked = true; // nothing was posted
}

} // namespace
} // namespace requests
