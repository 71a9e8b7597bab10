// SPDX-License-Identifier: BSD-2-Clause
// scapy, in a process of its own: what a frame must look like when it has left.
#ifndef SEGUE_TESTS_REQUESTS_SCAPY_H
#define SEGUE_TESTS_REQUESTS_SCAPY_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace requests {

// "tag" with its TCI, or "cut" into segments with that many bytes of TCP payload; of the frame that
// the program has laid.
std::vector<std::vector<uint8_t>> ask_scapy(const char *what, uint32_t number, const uint8_t *frame,
					    size_t length);

} // namespace requests

#endif
