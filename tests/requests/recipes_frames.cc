// SPDX-License-Identifier: BSD-2-Clause
// Raw packet queues: whole Ethernet frames, steered by their destination.
#include "segue/device.h"
#include "segue/qp.h"
#include "tests/requests/frames.h"
#include "tests/requests/internet.h"
#include "tests/requests/refusal.h"
#include "tests/requests/scapy.h"

namespace requests {
namespace {

constexpr uint32_t LANDING = 512;

// The frame arrives as it is, but for bytes that the device has put in between at 12.
void arrived(Ends<Raw> &r, uint32_t length, const std::vector<uint8_t> &between = {})
{
	for (const segue_wc &wc : r.take(2)) {
		ASSERT_EQ(0, wc.syndrome) << r.explained(wc);
		if (segue_wc_is_receive(&wc)) {
			EXPECT_EQ(RECV_ID, wc.wr_id);
			EXPECT_EQ(length + between.size(), wc.byte_len);
		}
	}
	r.there.put(LANDING, r.here.bytes, 12);
	r.there.put(LANDING + 12, between.data(), between.size());
	r.there.put(LANDING + 12 + between.size(), r.here.bytes + 12, length - 12);
	r.compare();
}

constexpr uint32_t FRAME = 1200;

// So many bytes of the frame stand in the Ethernet segment; the rest is a list, or is inlined too.
template <uint32_t INLINED, bool LISTED> void frame(Ends<Raw> &r)
{
	const Steered steered(r.b);
	const uint32_t length = LISTED ? FRAME : 120;
	const segue_seg_data rest[2] = {r.here.piece(INLINED, 300),
					r.here.piece(INLINED + 300, FRAME - INLINED - 300)};

	lay_frame(r.here, EXPERIMENTAL);
	r.receive(LANDING, 4000);
	r.post<ARGS(r.sq(), segue_post_send)>(
		[&](auto *sq) {
			auto w = segue_eth(segue_send(sq, SEND_ID, SEGUE_SIGNALED), 0, r.here.bytes,
					   INLINED);

			return LISTED ? segue_post(segue_sge_list(w, rest, 2))
				      : segue_post(segue_inline_data(w, r.here.bytes + INLINED,
								     length - INLINED));
		},
		[&](auto &args) {
			args.data = r.here.bytes, args.inline_hdr_sz = INLINED;
			if (LISTED)
				args.sges = rest, args.sge_count = 2;
			else
				args.inline_data = r.here.bytes + INLINED,
				args.inline_data_byte_count = length - INLINED;
		},
		[](auto *sq, auto *args) { return segue_post_send(sq, args); });
	arrived(r, length);
}

// What has come, 1024 bytes apart, is what scapy makes of the frame.
void as_scapy_has_them(Ends<Raw> &r, const std::vector<std::vector<uint8_t>> &frames)
{
	for (size_t i = 0; i < frames.size(); i++) {
		const uint8_t *const came = r.there.bytes + LANDING + 1024 * i;

		EXPECT_EQ(frames[i], std::vector<uint8_t>(came, came + frames[i].size()))
			<< "frame " << i;
	}
	r.asked(SCAPY);
}

// The device puts a tag behind the addresses.
void tagged(Ends<Raw> &r)
{
	const Steered steered(r.b);

	lay_frame(r.here, EXPERIMENTAL);
	r.receive(LANDING, 4000);
	const uint32_t pi = r.sq()->sq.pi;

	ASSERT_OK(segue_post(
		segue_sge(segue_eth_vlan(segue_send(r.sq(), SEND_ID, SEGUE_SIGNALED), 0, 0x6123),
			  r.here.at(0), FRAME, r.here.lkey())));
	r.saw(&r.sq()->sq, pi);
	arrived(r, FRAME, {0x81, 0x00, 0x61, 0x23});
	as_scapy_has_them(r, ask_scapy("tag", 0x6123, r.here.bytes, FRAME));
}

// IPv4 and TCP headers without checksums, which the device fills in.
void lay_headers(Memory &m, uint32_t payload)
{
	uint8_t h[IP + TCP];

	lay_frame(m, 0x0800);
	lay_tcp(h, payload);
	m.store(ETHERNET, h, sizeof(h));
}

// One message of several segments, the last one shorter.
template <bool INLINED> void segmented(Ends<Raw> &r)
{
	constexpr uint16_t MSS = 100;
	constexpr uint32_t PAYLOAD = INLINED ? 150 : 350, SEGMENTS = (PAYLOAD + MSS - 1) / MSS;
	constexpr uint8_t SUMS = SEGUE_ETH_CS_FLAG_L3_CSUM | SEGUE_ETH_CS_FLAG_L4_CSUM;
	const Steered steered(r.b);
	const segue_seg_data data[2] = {r.here.piece(HEADERS, 130),
					r.here.piece(HEADERS + 130, PAYLOAD - 130)};

	lay_headers(r.here, PAYLOAD);
	for (uint32_t i = 0; i < SEGMENTS; i++)
		r.receive(LANDING + 1024 * i, 1024);
	r.post<ARGS(r.sq(), segue_post_tso)>(
		[&](auto *sq) {
			auto w = segue_eth(segue_tso(sq, SEND_ID, SEGUE_SIGNALED), SUMS, MSS,
					   r.here.bytes, HEADERS);

			return INLINED ? segue_post(segue_inline_data(w, r.here.bytes + HEADERS,
								      PAYLOAD))
				       : segue_post(segue_sge_list(w, data, 2));
		},
		[&](auto &args) {
			args.cs_flags = SUMS, args.mss = MSS, args.data = r.here.bytes,
			args.inline_hdr_sz = HEADERS;
			if (INLINED)
				args.inline_data = r.here.bytes + HEADERS,
				args.inline_data_byte_count = PAYLOAD;
			else
				args.sges = data, args.sge_count = 2;
		},
		[](auto *sq, auto *args) { return segue_post_tso(sq, args); });
	for (const segue_wc &wc : r.take(1 + SEGMENTS))
		ASSERT_EQ(0, wc.syndrome) << r.explained(wc);
	for (uint32_t i = 0; i < SEGMENTS; i++) {
		const uint32_t at = i * MSS, size = PAYLOAD - at < MSS ? PAYLOAD - at : MSS;
		uint8_t frame[HEADERS + MSS];

		memcpy(frame, r.here.bytes, HEADERS);
		memcpy(frame + HEADERS, r.here.bytes + HEADERS + at, size);
		lay_segment(frame + ETHERNET, i, at, size, i + 1 == SEGMENTS);
		r.there.put(LANDING + 1024 * i, frame, HEADERS + size);
	}
	r.compare();
	const std::vector<std::vector<uint8_t>> frames = ask_scapy("cut", MSS, r.here.bytes,
								   HEADERS + PAYLOAD);

	EXPECT_EQ((size_t)SEGMENTS, frames.size());
	as_scapy_has_them(r, frames);
}

// What the frame is made of is nobody's memory: nothing of it leaves. Cards say so: FDio/csit issue
// 3988, Juniper/warp17 issue 81.
void frame_of_nobodys(Ends<Raw> &r)
{
	const Steered steered(r.b);

	lay_frame(r.here, EXPERIMENTAL);
	r.receive(LANDING, 4000);
	fails(
		r,
		[&](auto *sq) {
			return segue_post(
				segue_sge(segue_eth(segue_send(sq, SEND_ID, SEGUE_SIGNALED), 0,
						    r.here.bytes, 18),
					  r.here.at(18), FRAME, NOBODYS_KEY));
		},
		SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR, LOCAL);
	r.nothing_completes();
	r.compare();
}

// Nor does a segment, the headers of which are all right.
void segments_of_nobodys(Ends<Raw> &r)
{
	const Steered steered(r.b);

	lay_headers(r.here, 350);
	r.receive(LANDING, 4000);
	fails(
		r,
		[&](auto *sq) {
			return segue_post(
				segue_sge(segue_eth(segue_tso(sq, SEND_ID, SEGUE_SIGNALED), 0, 100,
						    r.here.bytes, HEADERS),
					  r.here.at(HEADERS), 350, NOBODYS_KEY));
		},
		SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR, LOCAL);
	r.nothing_completes();
	r.compare();
}

// More than the device cuts at once: requests of bytes are refused before they are posted, all
// others by the device; checked builds end there.
void more_than_is_cut(Ends<Raw> &r)
{
	const uint32_t most = segue_device_caps(r.device)->max_tso, pi = r.sq()->sq.pi;
	std::vector<segue_seg_data> pieces(most / Memory::SIZE, r.here.piece(0, Memory::SIZE));
	std::vector<uint8_t> wqe;

	ASSERT_LT(0u, most);
	pieces.push_back(r.here.piece(0, most % Memory::SIZE + 1));
	lay_headers(r.here, 350);
	fails(
		r,
		[&](auto *sq) {
			return segue_post(
				segue_sge_list(segue_eth(segue_tso(sq, SEND_ID, SEGUE_SIGNALED), 0,
							 1000, r.here.bytes, HEADERS),
					       pieces.data(), (uint32_t)pieces.size()));
		},
		SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR, "no more payload than segue_caps.max_tso");
	wqe.assign(r.sq()->sq.buf + pi * SEGUEI_BLOCK,
		   r.sq()->sq.buf + r.sq()->sq.pi * SEGUEI_BLOCK);
	wqe.resize((SEGUE_RAW_PACKET_TSO_UNITS + (HEADERS - 2 + 15) / 16 + pieces.size()) * 16);
	EXPECT_EQ(-EMSGSIZE, segue_qp_post_raw_wqe(r.a, SEND_ID, wqe.data(), wqe.size()));
	EXPECT_SAYS((std::to_string(most + 1) + " bytes cut into frames, and the device takes " +
		     std::to_string(most))
			    .c_str());
}

const bool added = (Entries<Raw>()
			    .refused()
			    .add("send", {"eth", "data"}, frame_of_nobodys, false)
			    .add("tso", {"data"}, segments_of_nobodys, false)
			    .add("tso", {"data"}, more_than_is_cut, false),
		    Entries<Raw>()
			    .by({LIBMLX5})
			    .add("send", {"eth", "data"}, frame<0, true>)
			    .add("send", {"eth", "inline_data"}, frame<0, false>, false)
			    .by({LIBMLX5, SCAPY})
			    .add("tso", {"data"}, segmented<false>)
			    .by({MLX5DV})
			    .add("send", {"eth", "data"}, frame<18, true>)
			    .add("send", {"eth", "inline_data"}, frame<18, false>)
			    .by({MLX5DV, SCAPY})
			    .add("tso", {"inline_data"}, segmented<true>)
			    .by({SCAPY})
			    .add("send", {"eth_vlan", "data"}, tagged, false),
		    true);

} // namespace
} // namespace requests
