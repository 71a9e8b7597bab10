/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that peers find by its name. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "runtime/peers/channel/multi_channel.h"
#include "segue/base.h"

static int key_of(const struct segue_multi_channel *multi, uint32_t life, const char *name,
		  char key[SEGUE_WORLD_KEY_MAX + 1])
{
	if (!multi->more->rendezvous.world)
		return seguei_fail(EINVAL,
				   "Memory '%s': the multi-channel has not met over a world; carry "
				   "what segue_remote_buf_pack() stores.",
				   name ? name : "");
	if (!name || !name[0] || strlen(name) > SEGUEI_NAME_MAX)
		return seguei_fail(EINVAL,
				   "Memory '%s': the name is missing or too long, expected 1 to %d "
				   "characters.",
				   name ? name : "", SEGUEI_NAME_MAX);
	(void)snprintf(key, SEGUE_WORLD_KEY_MAX + 1, "mc/%s/%u/memory/%s",
		       multi->more->rendezvous.name, life, name);
	return 0;
}

int segue_multi_channel_publish(struct segue_multi_channel *multi, const char *name,
				const struct segue_remote_buf *memory)
{
	uint8_t wire[SEGUE_REMOTE_BUF_WIRE_SIZE];
	char key[SEGUE_WORLD_KEY_MAX + 1];
	const int ret = key_of(multi,
			       multi->more->rendezvous.world
				       ? segue_world_incarnation(multi->more->rendezvous.world)
				       : 0,
			       name, key);

	if (ret)
		return ret;
	segue_remote_buf_pack(memory, wire);
	return segue_world_put(multi->more->rendezvous.world, key, wire, sizeof(wire));
}

int segue_multi_channel_find(struct segue_multi_channel *multi, uint32_t index, const char *name,
			     segue_deadline deadline, struct segue_remote_buf *out)
{
	uint8_t wire[SEGUE_REMOTE_BUF_WIRE_SIZE];
	char key[SEGUE_WORLD_KEY_MAX + 1];
	struct segue_world_value value = {.data = wire, .size = sizeof(wire)};
	int ret = seguei_multi_check_index(multi, "segue_multi_channel_find()", index);

	if (!ret)
		ret = key_of(multi, seguei_peer_life(multi, index), name, key);
	if (!ret)
		ret = segue_world_get(multi->more->rendezvous.world, index, key, deadline, &value);
	return ret ? ret
		   : segue_remote_buf_unpack(
			     wire, value.total == sizeof(wire) ? value.size : value.total, out);
}
