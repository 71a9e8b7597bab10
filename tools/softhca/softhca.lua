-- SPDX-License-Identifier: BSD-2-Clause
-- Wireshark and tshark: names for what their InfiniBand dissector does not know, XRC
-- and softhca's private packets (DC, masked atomics, link credits), with the header
-- fields of tools/softhca/engine/packet/packet.h.
--
--   tshark -X lua_script:tools/softhca/softhca.lua -r out.pcap
--   wireshark -X lua_script:... , or copy it into ~/.local/lib/wireshark/plugins

local proto = Proto("softhca", "softhca RoCEv2 extensions")

local f = {
	op = ProtoField.string("softhca.operation", "Operation"),
	key = ProtoField.uint64("softhca.dc.key", "DC access key", base.HEX),
	session = ProtoField.uint64("softhca.dc.session", "DC session", base.DEC),
	sqp = ProtoField.uint24("softhca.dc.source_qp", "Source QP", base.HEX),
	start = ProtoField.uint24("softhca.dc.start_psn", "First PSN of the session", base.DEC),
	stream = ProtoField.uint16("softhca.dc.stream", "Stream", base.DEC),
	srqn = ProtoField.uint24("softhca.xrc.srqn", "XRC SRQ", base.HEX),
	va = ProtoField.uint64("softhca.va", "Virtual address", base.HEX),
	rkey = ProtoField.uint32("softhca.rkey", "Remote key", base.HEX),
	len = ProtoField.uint32("softhca.length", "Length", base.DEC),
	swap = ProtoField.uint64("softhca.swap_add", "Swap or add", base.HEX),
	compare = ProtoField.uint64("softhca.compare", "Compare", base.HEX),
	swap_mask = ProtoField.uint64("softhca.swap_mask", "Swap mask or field boundaries", base.HEX),
	compare_mask = ProtoField.uint64("softhca.compare_mask", "Compare mask", base.HEX),
	syndrome = ProtoField.uint8("softhca.syndrome", "Syndrome", base.HEX),
	msn = ProtoField.uint24("softhca.msn", "Message sequence number", base.DEC),
	orig = ProtoField.uint64("softhca.original", "Original value", base.HEX),
	imm = ProtoField.uint32("softhca.immediate", "Immediate", base.HEX),
	inv = ProtoField.uint32("softhca.invalidate", "Invalidated key", base.HEX),
}
proto.fields = f

-- By operation: its name and the headers after the transport's own.
local ops = {
	[0x00] = {"Send First"}, [0x01] = {"Send Middle"}, [0x02] = {"Send Last"},
	[0x03] = {"Send Last Immediate", "imm"}, [0x04] = {"Send Only"},
	[0x05] = {"Send Only Immediate", "imm"}, [0x06] = {"RDMA Write First", "reth"},
	[0x07] = {"RDMA Write Middle"}, [0x08] = {"RDMA Write Last"},
	[0x09] = {"RDMA Write Last Immediate", "imm"}, [0x0a] = {"RDMA Write Only", "reth"},
	[0x0b] = {"RDMA Write Only Immediate", "reth", "imm"},
	[0x0c] = {"RDMA Read Request", "reth"},
	[0x0d] = {"RDMA Read Response First", "aeth", response = true},
	[0x0e] = {"RDMA Read Response Middle", response = true},
	[0x0f] = {"RDMA Read Response Last", "aeth", response = true},
	[0x10] = {"RDMA Read Response Only", "aeth", response = true},
	[0x11] = {"Acknowledge", "aeth", response = true},
	[0x12] = {"Atomic Acknowledge", "aeth", "orig", response = true},
	[0x13] = {"Compare Swap", "atomic"}, [0x14] = {"Fetch Add", "atomic"},
	[0x16] = {"Send Last Invalidate", "inv"}, [0x17] = {"Send Only Invalidate", "inv"},
	[0x18] = {"Masked Compare Swap", "masked"}, [0x19] = {"Masked Fetch Add", "masked"},
}

-- Each header: its fields with offset and size, and how long it is.
local headers = {
	dceth = {size = 32, {f.key, 0, 8}, {f.session, 8, 8}, {f.sqp, 16, 3}, {f.start, 20, 3},
		 {f.stream, 24, 2}},
	xrceth = {size = 4, {f.srqn, 1, 3}},
	reth = {size = 16, {f.va, 0, 8}, {f.rkey, 8, 4}, {f.len, 12, 4}},
	atomic = {size = 28, {f.va, 0, 8}, {f.rkey, 8, 4}, {f.swap, 12, 8}, {f.compare, 20, 8}},
	masked = {size = 48, {f.va, 0, 8}, {f.rkey, 8, 4}, {f.len, 12, 4}, {f.swap, 16, 8},
		  {f.compare, 24, 8}, {f.swap_mask, 32, 8}, {f.compare_mask, 40, 8}},
	aeth = {size = 4, {f.syndrome, 0, 1}, {f.msn, 1, 3}},
	orig = {size = 8, {f.orig, 0, 8}},
	imm = {size = 4, {f.imm, 0, 4}},
	inv = {size = 4, {f.inv, 0, 4}},
}

-- Opcode byte to transport name, operation and the transport's header.
local function split(opcode)
	local high, low = bit32.band(opcode, 0xe0), bit32.band(opcode, 0x1f)
	if high == 0xa0 then
		return "XRC", ops[low], ops[low] and not ops[low].response and "xrceth"
	elseif high == 0xc0 then
		return "DC", ops[low], "dceth"
	elseif high == 0x20 then
		return "UC", ops[low]
	elseif high == 0xe0 and low < 12 and low % 4 < 2 then
		local name = ({"RC", "XRC", "DC"})[math.floor(low / 4) + 1]
		return name, ops[0x18 + low % 4], ({RC = false, XRC = "xrceth", DC = "dceth"})[name]
	elseif opcode == 0xfe then
		return "Raw", {"Ethernet Frame"}
	end
end

local udp_payload = Field.new("udp.payload")
local udp_port = Field.new("udp.dstport")

function proto.dissector(tvb, pinfo, tree)
	local port, payload = udp_port(), udp_payload()
	if not port or port.value ~= 4791 or not payload or payload.len < 16 then
		return
	end
	local at = payload.offset
	local opcode = tvb(at, 1):uint()
	-- What Wireshark names itself stays as it is.
	if opcode < 0xa0 and opcode ~= 0x36 and opcode ~= 0x37 then
		return
	end
	local transport, op, first = split(opcode)
	if not op then
		return
	end
	local name = transport .. " " .. op[1]
	local node = tree:add(proto, tvb(at, payload.len), "softhca: " .. name)
	node:add(f.op, tvb(at, 1), name)
	pinfo.cols.info = string.format("%s QP=0x%06x", name, tvb(at + 5, 3):uint())
	at = at + 12
	local list = {first or nil}
	for i = 2, #op do
		list[#list + 1] = op[i]
	end
	for _, header in ipairs(list) do
		if at + headers[header].size > payload.offset + payload.len then
			return
		end
		for _, field in ipairs(headers[header]) do
			node:add(field[1], tvb(at + field[2], field[3]))
		end
		at = at + headers[header].size
	end
end

register_postdissector(proto)
