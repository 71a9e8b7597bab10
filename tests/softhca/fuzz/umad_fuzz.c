/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fuzzing of management datagrams: registrations, datagrams as write() gives them, reads into
 * buffers of any size, and time, in any order. Most go to the port itself, whose agents answer.
 */
#include <fcntl.h>
#include <rdma/ib_user_mad.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/softhca/fuzz/fuzz_input.h"
#include "tests/softhca/fuzz/fuzz_service.h"
#include "tools/softhca/engine/engine.h"
#include "tools/softhca/umad/mad.h"
#include "tools/softhca/umad/umad.h"
#include "tools/softhca/uverbs/uverbs.h"

static const struct uv_service *service;
static uint8_t buffer[sizeof(struct ib_user_mad_hdr) + MAD_SA_MAX];

static void register_agent(struct fuzz_input *in, int fd)
{
	static const uint8_t classes[] = {0x01, 0x81, 0x03, 0x04, 0x32, 0x07, 0};
	struct ib_user_mad_reg_req2 req = {0};
	const uint8_t how = fuzz_u8(in);

	req.mgmt_class = classes[how % sizeof(classes)];
	req.mgmt_class_version = how & 8 ? 2 : 1;
	req.qpn = req.mgmt_class & 0x7f ? (req.mgmt_class & 0x7f) != 1 : how >> 7;
	if (how & 0x40)
		fuzz_bytes(in, &req, 40);
	req.method_mask[0] = req.method_mask[1] = UINT64_MAX;
	(void)service->ioctl(
		fd, how & 0x10 ? IB_USER_MAD_REGISTER_AGENT2 : IB_USER_MAD_REGISTER_AGENT, &req);
}

static void send_one(struct fuzz_input *in, int fd)
{
	static const uint8_t attributes[] = {0x01, 0x10, 0x11, 0x12, 0x14, 0x15, 0x16, 0x1d, 0x35};
	static const uint8_t methods[] = {1, 2, 0x12, 0x81, 0x92, 3};
	struct ib_user_mad_hdr hdr = {.id = fuzz_u8(in) & 7};
	const uint8_t how = fuzz_u8(in);
	struct softhca_port_attr attr;
	uint8_t *const mad = buffer + sizeof(hdr);
	size_t len = sizeof(hdr) + SOFTHCA_MAD_SIZE;

	if (softhca_port_query(softhca_dev_by_index(0), 1, &attr))
		abort();
	hdr.lid = segue_be16(how & 1 ? attr.lid : how & 2 ? attr.sm_lid : fuzz_u16(in));
	hdr.timeout_ms = how & 4 ? 0 : fuzz_u8(in);
	hdr.retries = fuzz_u8(in) & 3;
	memset(buffer, 0, sizeof(buffer));
	memcpy(buffer, &hdr, sizeof(hdr));
	mad[0] = 1;
	mad[1] = (uint8_t)(how & 8 ? 0x81 : how & 0x10 ? 3 : how & 0x20 ? 4 : 1);
	mad[2] = mad[1] == 3 ? 2 : 1;
	mad[3] = methods[fuzz_u8(in) % sizeof(methods)];
	mad[11] = fuzz_u8(in);
	mad[17] = attributes[fuzz_u8(in) % sizeof(attributes)];
	mad[23] = fuzz_u8(in);
	if (how & 0x40)
		fuzz_bytes(in, mad + 24, fuzz_u8(in) % 232u);
	if (how & 0x80) {
		len -= fuzz_u16(in) % (len + 1);
		mad[fuzz_u8(in)] ^= fuzz_u8(in);
	}
	(void)service->write(fd, buffer, len);
}

static void receive(struct fuzz_input *in, int fd)
{
	(void)umad_read(fd, buffer, fuzz_u16(in) % sizeof(buffer));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = {data, size};
	int fd;

	service = fuzz_service("infiniband_mad");
	fd = service->open(service->first_index, O_RDWR | O_NONBLOCK);
	if (fd < 0)
		abort();
	if (fuzz_u8(&in) & 7)
		(void)service->ioctl(fd, IB_USER_MAD_ENABLE_PKEY, NULL);
	while (in.left) {
		uint32_t id;

		switch (fuzz_u8(&in) % 8) {
		case 0:
		case 1:
			register_agent(&in, fd);
			break;
		case 2:
			id = fuzz_u8(&in) & 7;
			(void)service->ioctl(fd, IB_USER_MAD_UNREGISTER_AGENT, &id);
			break;
		case 3:
			receive(&in, fd);
			break;
		case 4:
			softhca_lock();
			(void)softhca_poll_all(true, NULL);
			softhca_unlock();
			break;
		default:
			send_one(&in, fd);
		}
	}
	(void)service->close(fd);
	if (umad_any_open())
		abort();
	return 0;
}
