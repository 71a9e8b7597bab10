// SPDX-License-Identifier: BSD-2-Clause
#include "tests/requests/recipe.h"

namespace requests {

const std::vector<Besides> besides = {
	{"multicast", {"ud"}, "groups are of datagrams", "[multicast](../examples/multicast.c)"},
	{"time stamps",
	 {"dci", "raw_packet", "rc", "uc", "ud", "xrc_initiator"},
	 "a receive queue's are those of the queue pair in front of it",
	 "[device.h](../../include/segue/device.h)"},
};

const std::vector<Example> examples = {
	{"atomic_cs", "atomics"},
	{"atomic_fa", "atomics"},
	{"bind_mw", "memory_window"},
	{"local_inv", "memory_window"},
	{"memcpy", "copy_offload"},
	{"recv_mprq", "striding"},
	{"send_en", "send_enable"},
	{"set_psv", "t10dif_store"},
	{"tm_append", "tag_matching"},
	{"tm_noop", "tag_matching"},
	{"tso", "raw_frames"},
	{"umr_interleaved", "matrix_column"},
	{"umr_list_crypto", "encrypted_store"},
	{"umr_list_sig", "t10dif_store"},
	{"wait_cq", "wait_chain"},
	{"wait_on_data", "prepared"},
};

} // namespace requests
