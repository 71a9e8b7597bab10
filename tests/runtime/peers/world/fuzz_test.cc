// SPDX-License-Identifier: BSD-2-Clause
// Hostile bytes at the rendezvous.
#include <errno.h>
#include <stdlib.h>

#include <random>

#include "ranks.h"
#include "segue/detail/bytes.h"
#include "tests/seed/seed.h"

extern "C" {
#include "runtime/peers/world/frames.h"
}

namespace
{

struct Bytes {
	std::mt19937_64 random;

	explicit Bytes(uint64_t from) : random(from)
	{
	}

	// Good bytes with a few changes; sometimes nothing but noise.
	void spoil(uint8_t *bytes, size_t size)
	{
		const uint64_t dice = random();
		const unsigned changes = dice % 16 ? 1 + dice / 16 % 3
						   : static_cast<unsigned>(size);

		for (unsigned i = 0; i < changes; i++) {
			const uint64_t r = random();

			bytes[r % size] = static_cast<uint8_t>(r >> 32);
		}
	}
};

} // namespace

// The one rule: what is taken is what would have been written.
TEST(WorldFuzz, HellosAreTakenWholeOrRefusedByField)
{
	Bytes bytes(segue_test_seed());
	seguei_hello expected = {};
	uint8_t good[SEGUEI_HELLO_SIZE], wire[SEGUEI_HELLO_SIZE], again[SEGUEI_HELLO_SIZE];
	uint64_t refusals[SEGUEI_REFUSALS] = {};

	expected.size = 100;
	expected.rank = 7;
	strcpy(expected.job, "a job");
	seguei_hello_write(&expected, good);
	for (int i = 0; i < 5000000; i++) {
		seguei_hello out = {};

		out.rank = UINT32_MAX;
		memcpy(wire, good, sizeof(wire));
		bytes.spoil(wire, sizeof(wire));
		const seguei_refusal unread = seguei_hello_read(wire, &out);
		const seguei_refusal refusal = unread ? unread
						      : seguei_hello_check(&out, &expected);
		refusals[refusal]++;
		if (refusal) {
			ASSERT_TRUE(!unread || out.rank == UINT32_MAX);
			continue;
		}
		seguei_hello same = expected;
		same.rank = out.rank;
		memcpy(same.nonce, out.nonce, sizeof(same.nonce));
		ASSERT_LT(out.rank, 100u);
		seguei_hello_write(&same, again);
		ASSERT_EQ(0, memcmp(again, wire, sizeof(wire)));
	}
	for (int i = SEGUEI_REFUSE_NOTHING; i < SEGUEI_REFUSE_TAKEN; i++)
		EXPECT_EQ(i == SEGUEI_REFUSE_FULL || i == SEGUEI_REFUSE_TOKEN, !refusals[i])
			<< "never seen: " << seguei_refusal_text(static_cast<seguei_refusal>(i));
}

TEST(WorldFuzz, HeadsAreTakenWholeOrRefused)
{
	Bytes bytes(segue_test_seed());
	uint64_t taken = 0;

	for (int i = 0; i < 5000000; i++) {
		seguei_frame frame = {}, out;
		uint8_t wire[SEGUEI_HEAD_SIZE + SEGUE_WORLD_KEY_MAX], again[sizeof(wire)];

		frame.type = static_cast<seguei_frame_type>(1 + i % (SEGUEI_FRAMES - 1));
		frame.key_size = frame.type == SEGUEI_FRAME_PUT || frame.type == SEGUEI_FRAME_GET
					 ? 5
					 : 0;
		memcpy(frame.key, "a key", frame.key_size);
		frame.body_size = static_cast<uint32_t>(bytes.random()) % SEGUE_WORLD_VALUE_MAX;
		const size_t size = seguei_frame_write(&frame, wire);
		bytes.spoil(wire, size);
		if (seguei_frame_read_head(wire, &out) || out.key_size > size - SEGUEI_HEAD_SIZE ||
		    seguei_frame_read_key(wire + SEGUEI_HEAD_SIZE, &out))
			continue;
		taken++;
		ASSERT_LE(out.body_size, SEGUE_WORLD_VALUE_MAX);
		ASSERT_EQ(out.key_size, strlen(out.key));
		ASSERT_EQ(SEGUEI_HEAD_SIZE + out.key_size, seguei_frame_write(&out, again));
		ASSERT_EQ(0, memcmp(again, wire, SEGUEI_HEAD_SIZE + out.key_size));
	}
	EXPECT_NE(0u, taken);
}

// A rank that has been let in goes mad: it is dropped and named, and the others go on.
TEST(WorldFuzz, ARunningRendezvousOutlivesNonsense)
{
	Bytes bytes(segue_test_seed());
	const Meeting meeting(3);
	segue_world *zero = meeting.open(0), *one = meeting.open(1);
	seguei_hello hello = {};
	uint8_t wire[SEGUEI_HELLO_SIZE], question[SEGUEI_CHALLENGE_SIZE], proof[SEGUEI_PROOF_SIZE];
	uint8_t answer[SEGUEI_WELCOME_SIZE + SEGUEI_PROOF_SIZE];

	hello.size = 3;
	hello.rank = 2;
	memcpy(hello.job, meeting.job.data(), meeting.job.size());
	for (int i = 0; i < 2000; i++) {
		const int fd = meeting.connect_raw();

		ASSERT_LE(0, fd);
		seguei_hello_write(&hello, wire);
		if (i % 2)
			bytes.spoil(wire, sizeof(wire));
		(void)send(fd, wire, i % 5 ? sizeof(wire) : 17, MSG_NOSIGNAL);
		if (i % 2 == 0 && i % 5) {
			ASSERT_EQ(static_cast<ssize_t>(sizeof(question)),
				  recv(fd, question, sizeof(question), MSG_WAITALL));
			ASSERT_EQ(0, seguei_proof_of(meeting.token.c_str(), wire, question, nullptr,
						     proof));
			if (i % 7 == 0)
				bytes.spoil(proof, sizeof(proof));
			(void)send(fd, proof, sizeof(proof), MSG_NOSIGNAL);
			ASSERT_EQ(static_cast<ssize_t>(sizeof(answer)),
				  recv(fd, answer, sizeof(answer), MSG_WAITALL));
			for (int k = 0; k < 20; k++) {
				seguei_frame frame = {};
				uint8_t head[SEGUEI_HEAD_SIZE + SEGUE_WORLD_KEY_MAX + 64] = {};

				frame.type = static_cast<seguei_frame_type>(1 + bytes.random() % 4);
				frame.key_size = frame.type <= SEGUEI_FRAME_GET ? 3 : 0;
				memcpy(frame.key, "key", frame.key_size);
				frame.body_size = frame.type <= SEGUEI_FRAME_GET ? 16 : 0;
				size_t size = seguei_frame_write(&frame, head) + frame.body_size;
				if (k % 3 == 2)
					bytes.spoil(head, size);
				// who has been let in may end the job for all: that is no nonsense
				if (!seguei_frame_read_head(head, &frame) &&
				    frame.type == SEGUEI_FRAME_ABORT)
					continue;
				if (send(fd, head, size, MSG_NOSIGNAL) < 0)
					break;
			}
		}
		close(fd);
	}
	put_text(zero, "still", "there");
	EXPECT_EQ("there", get_text(one, 0, "still"));
	EXPECT_EQ(0, segue_world_close(one, soon())) << segue_errmsg();
	EXPECT_EQ(0, segue_world_close(zero, soon())) << segue_errmsg();
}
