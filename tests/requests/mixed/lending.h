// SPDX-License-Identifier: BSD-2-Clause
#ifndef SEGUE_TESTS_REQUESTS_MIXED_LENDING_H
#define SEGUE_TESTS_REQUESTS_MIXED_LENDING_H

#include "tests/requests/mixed/mixed.h"

namespace requests {

constexpr uint8_t WINDOW_RIGHTS = SEGUE_MKEY_ACCESS_LOCAL_READ | SEGUE_MKEY_ACCESS_LOCAL_WRITE |
				  SEGUE_MKEY_ACCESS_REMOTE_WRITE;
constexpr uint32_t ANYBODY = 0xffffff;

// A window: the key that the device knows it by, which changes when a request that binds it is
// carried out.
struct Window {
	segue_mw *mw = nullptr;
	uint32_t key = 0, next = 0;
	bool bound = false;

	void open(segue_pd *pd, int type)
	{
		ASSERT_OK(segue_mw_open(pd, segue_mw_type(type), &mw));
		key = segue_mw_rkey(mw).rkey;
	}
	// The key of the request that is about to be posted, which needs not be carried out.
	uint32_t take()
	{
		return next = segue_mw_next_rkey(mw).rkey;
	}
	void is_bound()
	{
		key = next;
		bound = true;
	}
};

// Memory that windows may be bound to.
inline segue_mr *open_for_windows(segue_pd *pd, Block &block)
{
	segue_mr_options attr = {};
	segue_mr *mr = nullptr;

	attr.addr = block.bytes;
	attr.length = SIZE;
	attr.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE | SEGUE_ACCESS_MW_BIND;
	EXPECT_OK(segue_mr_open(pd, &attr, &mr));
	return mr;
}

// The steps behind the one that begins a bind.
template <class B>
int bind(B with, const Window &window, uint64_t at, uint32_t length, uint32_t qpn, uint32_t lkey)
{
	return segue_post(segue_bind_klm(segue_mkey_bind(segue_umr_ctrl(with), at, length, qpn,
							 (uint8_t)window.next, WINDOW_RIGHTS),
					 at, length, lkey));
}

template <class B> int unbind(B with, uint32_t key)
{
	return segue_post(segue_mkey_invalidate(segue_umr_ctrl(with), (uint8_t)key));
}

} // namespace requests

#endif
