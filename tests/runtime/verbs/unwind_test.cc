/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each step of the layer that makes a queue pair fails once. The queue pair is then libmlx5's, the
 * next one is taken, both work, and nothing is left behind when the program closes its objects.
 */
#include <poll.h>

#include <set>

#include "segue/cq.h"
#include "segue/device.h"
#include "tests/runtime/verbs/hard_parts.h"

namespace
{

/* Steps up to the one that fails, or -1. The linker directs the steps to the functions below. */
long steps_left = -1;
bool failed;

bool StepFails()
{
	const bool fails = steps_left >= 0 && steps_left-- == 0;

	failed |= fails;
	return fails;
}

std::set<const void *> recorded; /* objects in the layer's table */
int closed;			 /* result of closing the adopted device */

} // namespace

extern "C" {
void *__real_calloc(size_t count, size_t size);
int __real_segue_cq_arm(segue_cq *cq, segue_cq_arm_cmd cmd);
int __real_segue_device_close(segue_device *device);
int __real_seguei_layer_add(const void *key, void *record);
void __real_seguei_layer_remove(const void *key);

void *__wrap_calloc(size_t count, size_t size)
{
	return StepFails() ? nullptr : __real_calloc(count, size);
}

int __wrap_segue_cq_arm(segue_cq *cq, segue_cq_arm_cmd cmd)
{
	return StepFails() ? -EINVAL : __real_segue_cq_arm(cq, cmd);
}

int __wrap_segue_device_close(segue_device *device)
{
	return closed = __real_segue_device_close(device);
}

/* One step: if its table cannot grow, which only some addresses ask for, the small one serves. */
int __wrap_seguei_layer_add(const void *key, void *record)
{
	const bool fails = StepFails();
	const long left = steps_left;

	steps_left = -1;
	const int ret = fails ? -ENOMEM : __real_seguei_layer_add(key, record);
	steps_left = left;
	if (!ret)
		recorded.insert(key);
	return ret;
}

void __wrap_seguei_layer_remove(const void *key)
{
	recorded.erase(key);
	__real_seguei_layer_remove(key);
}
}

namespace
{

void Use(World *w, ibv_comp_channel *channel, ibv_cq *cq, ibv_qp *qp)
{
	void *cq_context;
	ibv_cq *from = nullptr;

	w->Connect(qp, qp);
	EXPECT_EQ(0, ibv_req_notify_cq(cq, 0));
	EXPECT_EQ(0, w->Write(qp, 1));
	pollfd ready = {channel->fd, POLLIN, 0};
	ASSERT_EQ(1, poll(&ready, 1, 60000));
	ASSERT_EQ(0, ibv_get_cq_event(channel, &from, &cq_context));
	EXPECT_EQ(cq, from);
	ibv_ack_cq_events(from, 1);
	w->Drain(cq, 1);
}

/* Whether a step failed. */
bool RunTo(long step)
{
	World w(true);
	ibv_comp_channel *channel = ibv_create_comp_channel(w.context);
	ibv_cq *cq = w.Cq(64, nullptr, channel);
	ibv_qp_init_attr attr = World::Attr(cq, 16, 16);

	EXPECT_EQ(0, ibv_req_notify_cq(cq, 0));
	failed = false;
	steps_left = step;
	ibv_qp *first = w.Keep(ibv_create_qp(w.pd, &attr));
	steps_left = -1;
	if (failed)
		EXPECT_FALSE(segue_test_is_taken(first));
	Use(&w, channel, cq, first);
	Use(&w, channel, cq, w.Qp(cq));
	w.Destroy(w.qps[1]);
	w.Destroy(first);
	EXPECT_EQ(0, ibv_destroy_cq(cq));
	w.cqs.clear();
	EXPECT_EQ(0, ibv_destroy_comp_channel(channel));
	return failed;
}

TEST(Unwind, EachStep)
{
	long step = 0;

	for (bool again = true; again && !HasFailure(); step++) {
		again = RunTo(step);
		EXPECT_EQ(0, closed) << segue_errmsg();
		EXPECT_EQ(0u, recorded.size());
		EXPECT_FALSE(HasFailure()) << "step " << step << " failed";
	}
	EXPECT_LT(6, step);
}

} // namespace
