/* SPDX-License-Identifier: BSD-2-Clause */
/* io_uring: numbers with a sign, against the kernel's own structs. */
#include <gtest/gtest.h>
#include <linux/io_uring.h>

#include <cstring>

#include "segue/gen/builders.h"
#include "segue/gen/cqes.h"
#include "segue/gen/machines.h"
#include "tests/providers/printing.h"

namespace
{

io_uring_sqe wanted; /* no member: it ends in an array of none */

struct IoUring : testing::Test {
	uint8_t entry[sizeof(io_uring_sqe)];
	segue_files_sq sq;

	void SetUp() override
	{
		std::memset(entry, 0xee, sizeof(entry));
		std::memset(&wanted, 0, sizeof(wanted));
		sq.block = {entry, sizeof(entry), 0};
		wanted.off = UINT64_MAX;
		wanted.addr = 0x1000;
		wanted.len = 300;
		wanted.user_data = 9;
	}

	void Splice(int32_t to, int32_t from, int result)
	{
		const volatile int32_t file = from; // no constant, which would not compile
		const auto begun =
			segue_file_splice(&sq, SEGUE_LINK, to, UINT64_MAX, 0x1000, 300, 9);

		EXPECT_EQ(segue_commit(segue_from_file(begun, file, 7)), result) << from;
		wanted.opcode = IORING_OP_SPLICE;
		wanted.flags = 1 << IOSQE_IO_LINK_BIT;
		wanted.fd = to;
		wanted.splice_fd_in = from;
		wanted.personality = 7;
	}
};

TEST_F(IoUring, EntriesAreTheKernels)
{
	ASSERT_EQ(segue_commit(segue_file_read(&sq, SEGUE_DRAIN, -100, UINT64_MAX, 0x1000, 300, 9)),
		  0);
	wanted.opcode = IORING_OP_READ;
	wanted.flags = 1 << IOSQE_IO_DRAIN_BIT;
	wanted.fd = -100;
	EXPECT_EQ(std::memcmp(entry, &wanted, sizeof(wanted)), 0);
	EXPECT_EQ(Judged(&segue_files_machine, entry, sizeof(entry)), "no offence");
	for (int32_t from : {-1, 0, 5, INT32_MAX}) {
		Splice(INT32_MIN, from, 0);
		EXPECT_EQ(std::memcmp(entry, &wanted, sizeof(wanted)), 0) << from;
		EXPECT_EQ(Judged(&segue_files_machine, entry, sizeof(entry)), "no offence");
	}
}

TEST_F(IoUring, ASignIsShown)
{
	Splice(-100, 5, 0);
	const std::string text = Printed(&segue_files_machine, entry, sizeof(entry));

	EXPECT_NE(text.find("fd         -100\n"), std::string::npos) << text;
	EXPECT_NE(text.find("splice_fd_in 5\n"), std::string::npos) << text;
}

TEST_F(IoUring, OutOfRangeIsRefusedWithItsSign)
{
	Splice(3, -2, -ERANGE);
	Splice(3, -1, 0);
	entry[44] = 0xfe;
	EXPECT_EQ(Judged(&segue_files_machine, entry, sizeof(entry)),
		  "byte 44, from_file.splice_fd_in: found -2, expected -1 to 2147483647 (work "
		  "request file_splice on files, state wants_from_file)");
}

TEST_F(IoUring, ACompletionHasASign)
{
	const io_uring_cqe bytes = {9, -2, 0x11121314};
	segue_cqe cqe;
	char text[400];

	ASSERT_TRUE(segue_cqe_unpack(&cqe, &bytes));
	EXPECT_EQ(cqe.res, -2);
	EXPECT_EQ(cqe.flags, 0x11121314u);
	segue_cqe_print(&bytes, 16, SEGUE_FORMAT_JSON, text, sizeof(text));
	EXPECT_NE(std::strstr(text, "\"res\": -2"), nullptr) << text;
}

} // namespace
