/* SPDX-License-Identifier: BSD-2-Clause */
/* Capture of all packets to a pcap file, which several processes may share. */
#include "pcap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "tools/softhca/engine/dev.h"
#include "tools/softhca/engine/packet/packet.h"
#include "tools/softhca/engine/proc/file.h"
#include "wire.h"

struct softhca_pcap {
	int fd;
	bool cut;
};

/* The file has the writer's byte order, which the magic number shows. */
struct pcap_file_header {
	uint32_t magic;
	uint16_t major;
	uint16_t minor;
	uint32_t zone;
	uint32_t accuracy;
	uint32_t snap_len;
	uint32_t link_type;
};

struct pcap_record {
	uint32_t sec;
	uint32_t nsec;
	uint32_t captured;
	uint32_t length;
};

#define ETH_SIZE 14u

/* The process that finds the file empty writes its header. The lock allows only one. */
static int start_file(int fd)
{
	const struct pcap_file_header header = {
		.magic = 0xa1b23c4d, /* nanoseconds */
		.major = 2,
		.minor = 4,
		.snap_len = 65535,
		.link_type = 1, /* Ethernet */
	};
	struct stat st;
	int err = 0;

	if (flock(fd, LOCK_EX))
		return errno;
	if (fstat(fd, &st))
		err = errno;
	else if (st.st_size == 0 && write(fd, &header, sizeof(header)) != sizeof(header))
		err = errno ? errno : EIO;
	flock(fd, LOCK_UN);
	return err;
}

struct softhca_pcap *softhca_pcap_open(const char *path)
{
	struct softhca_pcap *pcap = malloc(sizeof(*pcap));
	int err;

	if (!pcap)
		return NULL;
	pcap->cut = false;
	pcap->fd = open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0644);
	if (pcap->fd < 0) {
		err = errno;
		goto err_free;
	}
	err = start_file(pcap->fd);
	if (err)
		goto err_close;
	return pcap;

err_close:
	close(pcap->fd);
err_free:
	free(pcap);
	errno = err;
	return NULL;
}

static void stamp(struct pcap_record *record, uint32_t len)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	record->sec = (uint32_t)now.tv_sec;
	record->nsec = (uint32_t)now.tv_nsec;
	record->captured = record->length = len;
}

static void put(struct softhca_pcap *pcap, const struct iovec *iov, int count)
{
	if (pcap->cut || softhca_append(pcap->fd, iov, count, "the capture (--pcap)"))
		return;
	pcap->cut = the_engine.incomplete = true;
}

void softhca_pcap_frame(struct softhca_pcap *pcap, const uint8_t *frame, uint32_t len)
{
	struct pcap_record record;
	struct iovec iov[2] = {
		{&record, sizeof(record)},
		{(void *)(uintptr_t)frame, len},
	};

	stamp(&record, len);
	put(pcap, iov, 2);
}

void softhca_pcap_packet(struct softhca_pcap *pcap, const uint8_t *bth, uint32_t len,
			 uint32_t src_ip, uint32_t dst_ip)
{
	struct {
		struct pcap_record record;
		uint8_t frame[ETH_SIZE + 28];
	} head;
	uint8_t first[SOFTHCA_BTH_SIZE] = {0};
	const uint32_t n = len < sizeof(first) ? len : (uint32_t)sizeof(first);
	struct iovec iov[3] = {
		/* The frame's 42 bytes are followed by two bytes of padding, not written. */
		{&head, sizeof(head.record) + sizeof(head.frame)},
		{first, n},
		{(void *)(uintptr_t)(bth + n), len - n},
	};

	stamp(&head.record, (uint32_t)sizeof(head.frame) + len);
	softhca_ip_to_mac(dst_ip, head.frame);
	softhca_ip_to_mac(src_ip, head.frame + 6);
	head.frame[12] = 0x08; /* IPv4 */
	head.frame[13] = 0x00;
	/* The class of service is at RoCEv2's place. */
	memcpy(first, bth, n);
	softhca_pkt_ip_udp(head.frame + ETH_SIZE, src_ip, dst_ip, len, (uint8_t)(first[4] << 2),
			   SOFTHCA_HOP_LIMIT);
	first[4] &= (uint8_t)~SOFTHCA_DSCP_MASK;
	put(pcap, iov, 3);
}

void softhca_pcap_close(struct softhca_pcap *pcap)
{
	if (!pcap)
		return;
	close(pcap->fd);
	free(pcap);
}
