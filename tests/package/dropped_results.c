/* SPDX-License-Identifier: BSD-2-Clause */
/* Results that no program may ignore: each of the three statements is a warning. */
#include <segue/segue.h>

void drop(struct segue_rc_sq *sq, struct segue_device *device, struct segue_pd **pd);

void drop(struct segue_rc_sq *sq, struct segue_device *device, struct segue_pd **pd)
{
	segue_sge(segue_send(sq, 1, 0), 4096, 8, 7);
	segue_post(segue_sge(segue_send(sq, 1, 0), 4096, 8, 7));
	segue_pd_open(device, pd);
}
