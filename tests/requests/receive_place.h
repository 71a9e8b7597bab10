// SPDX-License-Identifier: BSD-2-Clause
#ifndef SEGUE_TESTS_REQUESTS_RECEIVE_PLACE_H
#define SEGUE_TESTS_REQUESTS_RECEIVE_PLACE_H

#include "segue/gen/builders.h"

namespace requests {

// Where a receive will stand that is posted next.
inline const uint8_t *next_of(const segue_rq *rq)
{
	return rq->ring.buf + (size_t)(rq->ring.pi & rq->ring.mask) * rq->ring.stride;
}

inline const uint8_t *next_of(const segue_srq *srq)
{
	return srq->ring.buf + (size_t)srq->head * srq->ring.stride;
}

inline const uint8_t *next_of(const segue_mprq *mprq)
{
	return next_of(&mprq->srq);
}

} // namespace requests

#endif
