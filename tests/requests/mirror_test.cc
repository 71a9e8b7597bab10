// SPDX-License-Identifier: BSD-2-Clause
// What the mirror finds: any bit that is no value of the request, and a field that builder and
// decoder both have in a wrong place.
#include <string.h>

#include "segue/gen/machines.h"
#include "tests/requests/mirror.h"
#include "tests/requests/transports.h"

namespace requests {
namespace {

const Recipe A_WRITE = {"rc", "rdma_write", {}, How::BUILDER, "", {}, nullptr};

class Mirror : public Ends<Rc> {
protected:
	Mirror() : Ends<Rc>(A_WRITE, nullptr) {}

	void SetUp() override
	{
		ASSERT_NO_FATAL_FAILURE(Ends<Rc>::SetUp());
		const uint8_t *const block = sq()->sq.buf +
					     (size_t)(sq()->sq.pi & sq()->sq.mask) * SEGUEI_BLOCK;

		ASSERT_OK(segue_post(
			segue_sge(segue_raddr(segue_rdma_write(sq(), SEND_ID, SEGUE_SIGNALED),
					      there.at(77), there.rkey()),
				  here.at(33), 100, here.lkey())));
		complete({SEND_ID});
		there.put(77, here.bytes + 33, 100);
		compare();
		walked = true;
		posted = take_apart(segue_rc_machine,
				    std::vector<uint8_t>(block, block + SEGUEI_BLOCK));
		ASSERT_TRUE(libmlx5_posts(posted));
		ASSERT_EQ(posted.bytes, as_libmlx5_posts(posted));
	}
	// Values that another request of the same kind would have, or its length; whether they are
	// right is seen in memory. And what is each queue's own.
	bool is_value(size_t byte)
	{
		for (const char *name :
		     {"ctrl.wqe_index", "ctrl.qpn", "ctrl.ds", "raddr.remote_addr", "raddr.rkey",
		      "data.byte_count", "data.lkey", "data.addr"})
			for (const Part &part : posted.parts)
				for (uint16_t i = 0; i < part.segment->field_count; i++) {
					const segue_field_desc &field = part.segment->fields[i];
					const size_t end = part.at + field.byte +
							   (field.word - field.lsb) / 8;

					if (std::string(part.segment->name) + "." + field.name ==
						    name &&
					    byte < end && byte >= end - (field.width + 7) / 8)
						return true;
				}
		return false;
	}

	Posted posted;
};

TEST_F(Mirror, FindsEachByteThatIsNoValue)
{
	size_t found = 0, values = 0;

	for (size_t byte = 0; byte < posted.bytes.size(); byte++) {
		std::vector<uint8_t> changed = posted.bytes;

		changed[byte] ^= 1;
		const Posted other = take_apart(segue_rc_machine, changed);

		if (is_value(byte)) {
			values++;
			EXPECT_TRUE(other.offence.empty())
				<< "byte " << byte << ": " << other.offence;
			EXPECT_EQ(other.bytes, as_libmlx5_posts(other)) << "byte " << byte;
			continue;
		}
		found++;
		EXPECT_TRUE(!other.offence.empty() || other.request != "rdma_write" ||
			    other.bytes != as_libmlx5_posts(other))
			<< "byte " << byte;
	}
	EXPECT_EQ(posted.bytes.size(), found + values);
	EXPECT_LE(10u, found);
}

// Nobody but libmlx5 could tell: what builds and what takes apart agree, only they agree on
// something else.
TEST_F(Mirror, FindsAFieldInAWrongPlace)
{
	size_t moved = 0;

	for (Part &part : posted.parts) {
		if (strcmp(part.segment->name, "raddr"))
			continue;
		static segue_segment_desc shifted;
		static std::vector<segue_field_desc> fields;

		shifted = *part.segment;
		fields.assign(shifted.fields, shifted.fields + shifted.field_count);
		for (segue_field_desc &field : fields)
			if (!strcmp(field.name, "rkey")) {
				field.byte = (uint16_t)(field.byte + 4);
				moved++;
			}
		shifted.fields = fields.data();
		part.segment = &shifted;
		for (size_t i = 0; i < 4; i++)
			std::swap(posted.bytes[part.at + 8 + i], posted.bytes[part.at + 12 + i]);
	}
	ASSERT_EQ(1u, moved);
	EXPECT_EQ(there.rkey(), posted.value("raddr", "rkey"));
	EXPECT_NE(posted.bytes, as_libmlx5_posts(posted));
}

// A request that is not libmlx5's, or a form of it, is none that it is asked for.
TEST_F(Mirror, KnowsWhatLibmlx5DoesNotPost)
{
	for (const char *request :
	     {"nop", "get_psv", "umr_pointer", "transpose", "masked_atomic_cs32", "wait_cq", ""}) {
		posted.request = request;
		EXPECT_FALSE(libmlx5_posts(posted)) << request;
	}
}

} // namespace
} // namespace requests
