/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * softhca wire [options] PID
 *
 * A bad network on one machine: an interface in this network namespace, and one in that of process
 * PID. Packets between them arrive late, damaged, twice, or not at all. It works on kernels without
 * netem, too. The interfaces (tun devices) vanish with the process.
 */
#include "tools/softhca/wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tools/softhca/wire_queue.h"

struct plan {
	struct wire_quality quality;
	unsigned int mtu;
	const char *interface;
	struct in_addr here; /* on the other side it is the next one */
	bool verbose;
};

struct wire {
	int fd[2];		    /* this side, the other side */
	struct wire_queue queue[2]; /* from that side */
};

static volatile sig_atomic_t ended;

/* ---- options ---- */

static const struct {
	const char *name, *argument, *text;
	size_t at; /* offset of a number in the quality */
	double most;
} numbers[] = {
	{"delay", "MS", "each packet arrives so much later, each way (0)",
	 offsetof(struct wire_quality, delay_ms), 10000},
	{"jitter", "MS", "and up to so much more; the order stays (0)",
	 offsetof(struct wire_quality, jitter_ms), 10000},
	{"loss", "PERCENT", "packets that never arrive (0)", offsetof(struct wire_quality, loss),
	 100},
	{"reorder", "PERCENT", "packets that overtake those which the delay holds (0)",
	 offsetof(struct wire_quality, reorder), 100},
	{"duplicate", "PERCENT", "packets that arrive twice (0)",
	 offsetof(struct wire_quality, duplicate), 100},
	{"corrupt", "PERCENT", "packets that arrive with a wrong bit (0)",
	 offsetof(struct wire_quality, corrupt), 100},
	{"rate", "MBIT", "bits per microsecond, each way; 1000 packets wait (no limit)",
	 offsetof(struct wire_quality, rate_mbit), 1e6},
};
#define NUMBERS ((int)(sizeof(numbers) / sizeof(numbers[0])))

enum { SEED = 1000, MTU, NAME, ADDRESS, VERBOSE, HELP };

static void usage(FILE *out)
{
	fprintf(out, "usage: softhca wire [options] PID\n"
		     "A bad network between this network namespace and that of process PID.\n\n");
	for (int i = 0; i < NUMBERS; i++)
		fprintf(out, "  --%-10s %-8s %s\n", numbers[i].name, numbers[i].argument,
			numbers[i].text);
	fprintf(out, "  --%-10s %-8s %s\n", "seed", "N", "which packets it meets (1)");
	fprintf(out, "  --%-10s %-8s %s\n", "mtu", "BYTES", "of both interfaces (1500)");
	fprintf(out, "  --%-10s %-8s %s\n", "name", "NAME", "of both interfaces (wire0)");
	fprintf(out, "  --%-10s %-8s %s\n", "address", "ADDRESS",
		"here; the next one is there (10.9.0.1)");
	fprintf(out, "  --%-10s %-8s %s\n", "verbose", "", "says at the end what it has done");
}

static int set_number(struct wire_quality *q, int i, const char *text)
{
	char *end;
	const double value = strtod(text, &end);

	if (end == text || *end || !(value >= 0 && value <= numbers[i].most)) {
		fprintf(stderr, "softhca wire: --%s is \"%s\", but it must be from 0 to %.0f\n",
			numbers[i].name, text, numbers[i].most);
		return -1;
	}
	memcpy((char *)q + numbers[i].at, &value, sizeof(value));
	return 0;
}

static int set_whole(const char *name, const char *text, unsigned long least, unsigned long most,
		     unsigned long *value)
{
	char *end;

	errno = 0;
	*value = strtoul(text, &end, 10);
	if (!errno && end != text && !*end && *value >= least && *value <= most)
		return 0;
	fprintf(stderr, "softhca wire: --%s is \"%s\", but it must be from %lu to %lu\n", name,
		text, least, most);
	return -1;
}

static int set_option(struct plan *p, int c, const char *text)
{
	unsigned long value = 0;

	switch (c) {
	case SEED:
		if (set_whole("seed", text, 0, UINT32_MAX, &value))
			return -1;
		p->quality.seed = value;
		return 0;
	case MTU:
		if (set_whole("mtu", text, 576, 65000, &value))
			return -1;
		p->mtu = (unsigned int)value;
		return 0;
	case NAME:
		p->interface = text;
		return 0;
	case ADDRESS:
		if (inet_pton(AF_INET, text, &p->here) == 1)
			return 0;
		fprintf(stderr,
			"softhca wire: --address is \"%s\", but it must be an IPv4 address\n",
			text);
		return -1;
	case VERBOSE:
		p->verbose = true;
		return 0;
	default:
		return c < NUMBERS ? set_number(&p->quality, c, text) : -1;
	}
}

static int parse(struct plan *p, int argc, char **argv)
{
	struct option longs[NUMBERS + 7] = {
		[NUMBERS] = {"seed", required_argument, NULL, SEED},
		{"mtu", required_argument, NULL, MTU},
		{"name", required_argument, NULL, NAME},
		{"address", required_argument, NULL, ADDRESS},
		{"verbose", no_argument, NULL, VERBOSE},
		{"help", no_argument, NULL, HELP},
	};
	int c;

	for (int i = 0; i < NUMBERS; i++)
		longs[i] = (struct option){numbers[i].name, required_argument, NULL, i};
	optind = 1;
	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (c == HELP) {
			usage(stdout);
			exit(0);
		}
		if (c == '?') {
			usage(stderr);
			return -1;
		}
		if (set_option(p, c, optarg))
			return -1;
	}
	if (optind + 1 == argc)
		return 0;
	usage(stderr);
	return -1;
}

/* ---- interfaces ---- */

static int fail(const char *what)
{
	if (errno == EMFILE)
		fprintf(stderr, "softhca wire: cannot %s: too many open files (ulimit -n)\n", what);
	else
		fprintf(stderr,
			"softhca wire: cannot %s: %s. It needs root, or a user namespace with a "
			"network namespace of its own (unshare -rn)\n",
			what, strerror(errno));
	return -1;
}

static int configure(const struct plan *p, struct in_addr address)
{
	const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in *in;
	struct ifreq r = {0};
	int err;

	if (fd < 0)
		return -1;
	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", p->interface);
	r.ifr_mtu = (int)p->mtu;
	err = ioctl(fd, SIOCSIFMTU, &r);
	in = (struct sockaddr_in *)(void *)&r.ifr_addr;
	*in = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = address};
	err = err ? err : ioctl(fd, SIOCSIFADDR, &r);
	*in = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(0xffffff00u)}};
	err = err ? err : ioctl(fd, SIOCSIFNETMASK, &r);
	/* Packets that this process has not read yet. Only root may have more than 500. */
	r.ifr_qlen = (int)WIRE_LIMIT * 4;
	(void)ioctl(fd, SIOCSIFTXQLEN, &r);
	err = err ? err : ioctl(fd, SIOCGIFFLAGS, &r);
	r.ifr_flags |= IFF_UP | IFF_RUNNING;
	err = err ? err : ioctl(fd, SIOCSIFFLAGS, &r);
	close(fd);
	return err;
}

static int open_interface(const struct plan *p, struct in_addr address)
{
	struct ifreq r = {.ifr_flags = IFF_TUN | IFF_NO_PI};
	const int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return fail("open /dev/net/tun");
	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", p->interface);
	if (!ioctl(fd, TUNSETIFF, &r) && !configure(p, address))
		return fd;
	fail("make the interface");
	close(fd);
	return -1;
}

/* The other side's device is made there and stays there, wherever its descriptor goes. */
static int open_there(const struct plan *p, const char *pid)
{
	const struct in_addr address = {htonl(ntohl(p->here.s_addr) + 1)};
	const int back = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	char path[64];
	int there, fd = -1;

	snprintf(path, sizeof(path), "/proc/%s/ns/net", pid);
	there = open(path, O_RDONLY | O_CLOEXEC);
	if (there < 0 || back < 0) {
		fprintf(stderr, "softhca wire: there is no process %s, or it is another user's\n",
			pid);
	} else if (setns(there, CLONE_NEWNET)) {
		fail("enter the network namespace of that process");
	} else {
		fd = open_interface(p, address);
		if (setns(back, CLONE_NEWNET)) {
			fail("come back from it");
			fd = -1;
		}
	}
	if (there >= 0)
		close(there);
	if (back >= 0)
		close(back);
	return fd;
}

/* ---- packets ---- */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool read_all(struct wire *w, int side)
{
	static uint8_t bytes[WIRE_PACKET_MAX];
	ssize_t got;

	while ((got = read(w->fd[side], bytes, sizeof(bytes))) > 0)
		if (!wire_queue_put(&w->queue[side], bytes, (uint32_t)got, now_ns()))
			return false;
	return true;
}

static void write_due(struct wire *w, int side)
{
	struct wire_packet *p;

	while ((p = wire_queue_take(&w->queue[side], now_ns()))) {
		/* If it is full, or the interface is down, the packet is lost as in any network. */
		if (write(w->fd[!side], p->bytes, p->length) < 0)
			w->queue[side].did.full++;
		free(p);
	}
}

static struct timespec until_next(const struct wire *w)
{
	const uint64_t a = wire_queue_next(&w->queue[0]), b = wire_queue_next(&w->queue[1]);
	const uint64_t next = a < b ? a : b, now = now_ns();
	uint64_t left = next > now ? next - now : 0;

	if (left > 1000000000u)
		left = 1000000000u;
	return (struct timespec){.tv_sec = (time_t)(left / 1000000000u),
				 .tv_nsec = (long)(left % 1000000000u)};
}

static int carry(struct wire *w)
{
	struct pollfd fds[2] = {{.fd = w->fd[0], .events = POLLIN},
				{.fd = w->fd[1], .events = POLLIN}};

	while (!ended) {
		const struct timespec left = until_next(w);

		(void)ppoll(fds, 2, &left, NULL);
		for (int side = 0; side < 2; side++) {
			if (!read_all(w, side)) {
				fprintf(stderr, "softhca wire: out of memory\n");
				return 1;
			}
			write_due(w, side);
		}
	}
	return 0;
}

static void tell(const struct wire *w)
{
	for (int side = 0; side < 2; side++) {
		const struct wire_queue *const q = &w->queue[side];

		printf("%s: %lu packets, %lu lost, %lu overtook, %lu doubled, %lu corrupted, "
		       "%lu without room\n",
		       side ? "from there" : "from here", q->did.packets, q->did.lost,
		       q->did.overtook, q->did.doubled, q->did.corrupted, q->did.full);
	}
}

static void end(int sig)
{
	(void)sig;
	ended = 1;
}

int wire_main(int argc, char **argv)
{
	struct plan p = {
		.quality.seed = 1, .mtu = 1500, .interface = "wire0", .here = {htonl(0x0a090001u)}};
	const struct sigaction action = {.sa_handler = end};
	char text[INET_ADDRSTRLEN];
	struct wire w;
	int status;

	if (parse(&p, argc, argv))
		return 2;
	w.fd[0] = open_interface(&p, p.here);
	w.fd[1] = w.fd[0] < 0 ? -1 : open_there(&p, argv[argc - 1]);
	if (w.fd[1] < 0)
		return 1;
	for (int side = 0; side < 2; side++)
		wire_queue_start(&w.queue[side], &p.quality, (uint64_t)side);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	printf("%s is %s here", p.interface, inet_ntop(AF_INET, &p.here, text, sizeof(text)));
	p.here.s_addr = htonl(ntohl(p.here.s_addr) + 1);
	printf(", %s there\n", inet_ntop(AF_INET, &p.here, text, sizeof(text)));
	fflush(stdout);
	status = carry(&w);
	if (p.verbose)
		tell(&w);
	for (int side = 0; side < 2; side++)
		wire_queue_end(&w.queue[side]);
	return status;
}
