// SPDX-License-Identifier: BSD-2-Clause
// A queue pair of libmlx5's, for what it writes.
#ifndef SEGUE_TESTS_REQUESTS_MIRROR_QUEUE_H
#define SEGUE_TESTS_REQUESTS_MIRROR_QUEUE_H

#include "tests/requests/posted_request.h"
#include "tests/runtime/libmlx5_wr.h"

namespace requests {

// The type of queue pair that has such a send queue.
ibv_qp_type type_of(const std::string &queue);

/*
 * One in ERR: what is posted there is written and completes, and touches no memory. libmlx5
 * remembers if the request before changed a key: behind such a one a new queue pair is wanted.
 */
class Sender {
public:
	Sender(ibv_qp_type type, uint64_t mlx5_ops);
	~Sender();
	bool is_open() const { return qp; }
	// ibv_wr_complete(), and waits for the request 1.
	void complete();
	// So many bytes of the request that was posted behind so many others, none of which has
	// been asked for.
	std::vector<uint8_t> written(size_t length, uint32_t behind);

	Poster poster;
	ibv_qp *qp = nullptr;

private:
	void create(ibv_qp_type type, uint64_t mlx5_ops);
	void fail(ibv_qp_type type);

	const uint8_t *at(uint32_t block) const;

	mlx5dv_qp ring = {};
	uint32_t next = 0; // block
};

// Rights in a segment's access_flags, in verbs' words.
unsigned access_of(const Posted &posted, const char *segment);

// What libmlx5 wrote, with the posted values in the fields that are each queue's own.
std::vector<uint8_t> with_own(const Posted &posted, std::vector<uint8_t> theirs);

} // namespace requests

#endif
