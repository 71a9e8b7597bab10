// SPDX-License-Identifier: BSD-2-Clause
#ifndef SEGUE_TESTS_REQUESTS_MIXED_WAITS_H
#define SEGUE_TESTS_REQUESTS_MIXED_WAITS_H

#include "tests/requests/mixed/mixed.h"

namespace requests {

/*
 * Holds a queue, once in a batch: until the test has stored a word, or a time has come, or a
 * completion queue of somebody else has got on. What is behind it happens later, and in its order.
 * Or it lets another queue go on, where it may. `on` chooses the stream, where there are any.
 */
template <class Q, class On> int post_wait(Pair &pair, Q *sq, uint64_t wr_id, On on)
{
	Mixed &test = pair.test;
	const uint64_t value = (uint64_t)test.random() << 32 | (uint64_t)test.random();
	const uint32_t choice = test.below(pair.enables ? 6 : 3);

	pair.waited = true;
	if (choice == 0) {
		segue_seg_wait_on_data wait = {};

		__atomic_store_n(&test.besides.words[pair.number], segue_be64(~value),
				 __ATOMIC_RELEASE);
		wait.operation = SEGUE_WAIT_COND_EQUAL;
		wait.lkey = test.besides_key;
		wait.va_fail = test.word_at(pair) | SEGUE_WAIT_FAIL_ACTION_RETRY;
		wait.data = value;
		wait.data_mask = UINT64_MAX;
		test.later(pair, value);
		return segue_post(segue_data_condition(
			on(segue_wait_on_data(sq, wr_id, SEGUE_SIGNALED)), &wait));
	}
	if (choice == 1) {
		uint64_t now;

		EXPECT_OK(segue_device_query_ticks(test.device, &now));
		return segue_post(segue_time_condition(
			on(segue_wait_on_time(sq, wr_id, SEGUE_SIGNALED)),
			SEGUE_WAIT_COND_CYCLIC_SMALLER, 0,
			// 50 µs
			now + segue_device_caps(test.device)->clock_khz / 20, UINT64_MAX));
	}
	if (choice > 2) {
		const segue_seg_send_en gate = test.next_gate();

		return segue_post(segue_send_en_index(on(segue_send_en(sq, wr_id, SEGUE_SIGNALED)),
						      gate.max_index, gate.qpn));
	}
	const segue_seg_wait_cq bell = test.next_bell();

	return segue_post(segue_wait_cq_index(on(segue_wait_cq(sq, wr_id, SEGUE_SIGNALED)),
					      bell.max_index, bell.cqn));
}

// What the device steps over, whatever it is; or nothing at all.
template <class Q, class On>
int post_nothing(Pair &pair, Q *sq, uint64_t wr_id, uint32_t flags, On on)
{
	segue_seg_filler fillers[3];

	if (pair.test.below(2))
		return segue_post(on(segue_nop(sq, wr_id, flags)));
	for (auto &filler : fillers)
		for (uint8_t &byte : filler.bytes)
			byte = (uint8_t)pair.test.random();
	return segue_post(segue_filler_list(on(segue_nop(sq, wr_id, flags)), fillers,
					    1 + pair.test.below(3)));
}

} // namespace requests

#endif
