/* SPDX-License-Identifier: BSD-2-Clause */
#include "segue/peers/exchange.h"
#include "side.hpp"

#include <unistd.h>

namespace {

constexpr std::uint32_t receives_most = 64, sends_most = 64;
constexpr std::uint8_t ack_timeout = 18; // a second: who waits for a processor is not dead

// What goes along with an endpoint: bytes of segue_endpoint.user[], big-endian.
constexpr unsigned note_inbox = 0, note_rounds = SEGUE_REMOTE_BUF_WIRE_SIZE,
		   note_checked = note_rounds + 4, note_wrong = note_checked + 4;

segue_path path_of(const segue::device &device)
{
	segue_path path = device.path(1).value();

	path.timeout = ack_timeout;
	path.sq_psn = static_cast<std::uint32_t>(getpid()) & 0xffffff;
	return path;
}

segue_cq_options cq_options()
{
	segue_cq_options options{};

	options.entries = receives_most + sends_most;
	options.grow = true; // an entry for each block of 64 bytes that an error makes complete
	return options;
}

segue_qp_options qp_options()
{
	segue_qp_options options{};

	options.max_send_wr = sends_most;
	options.max_send_sge = 1;
	options.max_inline = inline_max;
	options.max_recv_wr = receives_most;
	options.max_recv_sge = 1;
	return options;
}

} // namespace

side::side(const struct choice &chosen)
    : choice(chosen), memory_(2 * message_max), device(segue::device::open().value()),
      path(path_of(device)), pd(segue::pd::open(device).value()),
      mr(segue::mr::open(pd, memory_, SEGUE_ACCESS_REMOTE_WRITE).value()),
      cq(segue::cq::open(device, cq_options()).value()),
      receives(segue::pool::open(pd, receives_most, inline_max).value()),
      qp(segue::rc_qp::open(pd, qp_options(), cq).value()), from(mr.local(0, message_max).value()),
      mine(qp.describe(path).value())
{
}

void side::write_note()
{
	const segue_remote_buf inbox = mr.remote(message_max, message_max).value();

	segue_remote_buf_pack(&inbox, mine.user + note_inbox);
	segue_put_be32(mine.user + note_rounds, choice.rounds);
	segue_put_be32(mine.user + note_checked, checked);
	segue_put_be32(mine.user + note_wrong, wrong);
}

void side::read_note(bool caller)
{
	if (!caller)
		choice.rounds = segue_get_be32(theirs.user + note_rounds);
	peer_checked = segue_get_be32(theirs.user + note_checked);
	peer_wrong = segue_get_be32(theirs.user + note_wrong);
	segue::check(
		segue_remote_buf_unpack(theirs.user + note_inbox, SEGUE_REMOTE_BUF_WIRE_SIZE, &to))
		.value();
}

void side::meet(const meeting &meeting)
{
	write_note();
	segue::check(meeting.caller()
			     ? segue_exchange_connect(meeting.host.c_str(), meeting.service.c_str(),
						      &mine, deadline(), &theirs)
			     : segue_exchange_accept(meeting.listener, &mine, deadline(), &theirs))
		.value();
	read_note(meeting.caller());
}

void side::connect()
{
	segue::check(segue_path_set_peer(&path, &theirs)).value();
	qp.to(SEGUE_QP_STATE_INIT, path).value();
	receives.post(qp.rq());
	qp.connect(path).value();
}
