/* SPDX-License-Identifier: BSD-2-Clause */
/* Rings: creation, offers, acceptance and end, and wake-ups between processes. */
#include "ring.h"

#include "fabric.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tools/softhca/engine/scheduler.h"
#include "wire_priv.h"

#define OFFER_AGAIN_NS UINT64_C(100000000)
#define STALE_NS       UINT64_C(100000) /* a receiver that has not polled for this time sleeps */
#define TURN_NS	       UINT64_C(40000)	/* precision of turned_ns */
#define LOOK_NS	       UINT64_C(1000000) /* between checks whether the receiver takes anything */
#define STUCK_NS       UINT64_C(20000000)
/* Sizes of a long message's first and largest published piece. Both sides copy at once. */
#define SHOW_FIRST     1024u
#define SHOW_MOST      16384u
/* With this many rings from others, and at each doubling, senders are checked for life. */
#define MANY	       16u
#define IDLE_NS	       UINT64_C(200000000) /* after this time memory is given back */
#define SHARE_LEAST    (8u * RECORD_MOST)
#define RING_SEALS     (F_SEAL_SHRINK | F_SEAL_GROW)
#define OFFERS_TURN    16
#define RECORD_MOST    ((uint32_t)sizeof(struct ring_record) + ((SOFTHCA_PKT_MAX + 7) & ~7u))

/* ---- addresses ---- */

static socklen_t name_of(struct sockaddr_un *name, uint32_t ip)
{
	return softhca_fabric_name(name, "wire", ip);
}

/* Sender of a datagram, which has bound the name. 0: not a port of softhca. */
static uint32_t ip_of(const struct sockaddr_un *name, socklen_t len)
{
	struct sockaddr_un want;
	unsigned int ip;
	char text[sizeof(want.sun_path)] = "";

	if (len <= offsetof(struct sockaddr_un, sun_path) + 1 ||
	    len - offsetof(struct sockaddr_un, sun_path) - 1 >= sizeof(text))
		return 0;
	memcpy(text, name->sun_path + 1, len - offsetof(struct sockaddr_un, sun_path) - 1);
	if (sscanf(text, "softhca-wire-%8x", &ip) != 1 || name_of(&want, ip) != len ||
	    memcmp(want.sun_path, name->sun_path, len - offsetof(struct sockaddr_un, sun_path)))
		return 0;
	return ip;
}

int softhca_ring_open(uint32_t ip)
{
	struct sockaddr_un name;
	const socklen_t len = name_of(&name, ip);
	const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	const int yes = 1;

	/* The kernel adds the sender's credentials to each datagram. */
	if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &yes, sizeof(yes))) {
		close(fd);
		return -1;
	}
	if (fd >= 0 && bind(fd, (const struct sockaddr *)&name, len)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Returns a socket connected to the present owner of the address. -1: it has none. */
static int connect_to(uint32_t ip)
{
	struct sockaddr_un name;
	const socklen_t len = name_of(&name, ip);
	const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd >= 0 && connect(fd, (const struct sockaddr *)&name, len)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* ---- memory ---- */

static struct ring_page *map(int fd)
{
	void *const page = mmap(NULL, RING_MAP, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		return NULL;
	/* Not inherited by a forked child, which would be a second sender. */
	(void)madvise(page, RING_MAP, MADV_DONTFORK);
	return page;
}

static int make(struct ring_page **page)
{
	const int fd = memfd_create("softhca-wire", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return -1;
	*page = ftruncate(fd, RING_MAP) || fcntl(fd, F_ADD_SEALS, RING_SEALS) ? NULL : map(fd);
	if (!*page) {
		close(fd);
		return -1;
	}
	(*page)->magic = RING_MAGIC;
	(*page)->sender_cpu = (*page)->receiver_cpu = -1;
	(*page)->sleeps = 1;
	return fd;
}

/* Accepts only an offer that this process would have made itself. */
static struct ring_page *map_offer(int fd)
{
	struct ring_page *page;
	struct stat st;
	int seals = fcntl(fd, F_GET_SEALS);

	if (seals < 0 || (seals & RING_SEALS) != RING_SEALS || fstat(fd, &st) ||
	    st.st_size != RING_MAP)
		return NULL;
	page = map(fd);
	if (page && page->magic != RING_MAGIC) {
		munmap(page, RING_MAP);
		return NULL;
	}
	return page;
}

/* ---- records ---- */

/* Bytes that a packet of len bytes takes. */
static uint32_t record_bytes(uint32_t len)
{
	return (uint32_t)sizeof(struct ring_record) + ((len + 7) & ~7u);
}

/* Length of the record at *head. 0: none. -1: invalid, since the other end is not trusted. */
static int record_at(const uint8_t *data, uint32_t *head, uint32_t tail, struct ring_record *record)
{
	const uint32_t at = *head & (RING_BYTES - 1), room = tail - *head;
	const struct ring_record *shared;

	if (!room)
		return 0;
	if (room > RING_BYTES || ((tail | at) & 7) || room < sizeof(*record))
		return -1;
	shared = (const struct ring_record *)(const void *)(data + at);
	record->len = __atomic_load_n(&shared->len, __ATOMIC_RELAXED);
	record->flags = __atomic_load_n(&shared->flags, __ATOMIC_RELAXED);
	if (record->len == RING_SKIP) {
		if (!at || room < RING_BYTES - at)
			return -1;
		*head += RING_BYTES - at;
		return record_at(data, head, tail, record);
	}
	if (record->len > SOFTHCA_PKT_MAX || record_bytes(record->len) > room ||
	    sizeof(*record) + record->len > RING_BYTES - at)
		return -1;
	return 1;
}

/* ---- out ---- */

static void out_free(struct ring_out *r)
{
	if (r->page)
		munmap(r->page, RING_MAP);
	close(r->fd);
	free(r);
}

/* The address has a new owner. It gets the packets that the former one perhaps missed. */
static void resend(struct softhca_wire *w, const struct ring_out *r)
{
	const uint32_t taken = __atomic_load_n(&r->page->head, __ATOMIC_ACQUIRE);
	uint32_t at = taken - r->sure <= r->tail - r->sure ? taken : r->sure;
	struct ring_record record;

	for (; record_at(r->data, &at, r->tail, &record) > 0; at += record_bytes(record.len))
		softhca_wire_resend(w, r->ip, r->data + (at & (RING_BYTES - 1)) + sizeof(record),
				    record.len, record.flags & RING_SEALED);
}

static void out_drop(struct softhca_wire *w, struct ring_out *r)
{
	for (struct ring_out **p = &w->rings_out; *p; p = &(*p)->next)
		if (*p == r) {
			*p = r->next;
			break;
		}
	w->last_out = NULL;
	w->rings_out_count--;
	w->rings_kept -= r->kept;
	out_free(r);
}

static bool send_offer(struct softhca_wire *w, uint32_t ip, int memory)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {0};
	char byte = 'o';
	struct iovec iov = {&byte, 1};
	struct sockaddr_un name;
	struct msghdr m = {
		.msg_name = &name,
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *const c = CMSG_FIRSTHDR(&m);

	m.msg_namelen = name_of(&name, ip);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &memory, sizeof(memory));
	return sendmsg(w->ring_fd, &m, MSG_NOSIGNAL) == 1;
}

static void offer(struct softhca_wire *w, uint32_t ip)
{
	struct ring_out *const r = calloc(1, sizeof(*r));
	int memory = -1;

	if (!r)
		return;
	r->ip = ip;
	r->show = SHOW_FIRST;
	/* Asked while the socket is connected, so the answer is about the owner at that time. */
	r->fd = connect_to(ip);
	if (r->fd >= 0 && softhca_wire_is_ours(ip))
		memory = make(&r->page);
	if (memory < 0 || !send_offer(w, ip, memory)) {
		if (memory >= 0)
			close(memory);
		out_free(r);
		return;
	}
	close(memory);
	r->data = (uint8_t *)r->page + RING_PAGE;
	r->next = w->rings_out;
	w->rings_out = r;
	w->rings_out_count++;
}

static struct ring_out *find_out(struct softhca_wire *w, uint32_t ip)
{
	struct ring_out *r = w->last_out;

	if (r && r->ip == ip)
		return r;
	for (r = w->rings_out; r && r->ip != ip; r = r->next)
		;
	if (r)
		w->last_out = r;
	return r;
}

/* The receiver empties its socket before its first look into a ring. */
static bool begin_use(struct softhca_wire *w, struct ring_out *r)
{
	if (!__atomic_load_n(&r->page->taken, __ATOMIC_ACQUIRE))
		return false;
	r->in_use = true;
	softhca_wire_flush(w);
	return true;
}

struct ring_out *softhca_ring_to(struct softhca_wire *w, uint32_t ip)
{
	struct ring_out *r;
	struct peer *p;
	uint64_t now;

	if (w->ring_fd < 0 || softhca_host_is_group(ip) || !softhca_wire_has_rings())
		return NULL;
	r = find_out(w, ip);
	if (r)
		return r->in_use || begin_use(w, r) ? r : NULL;
	now = softhca_now_ns();
	p = softhca_wire_peer(w, ip);
	if (now < p->offer_ns)
		return NULL;
	p->offer_ns = now + OFFER_AGAIN_NS;
	offer(w, ip);
	return NULL;
}

/* Number of bytes in use, exact if that may be more than `most`. */
static uint32_t used_of(struct ring_out *r, uint32_t most)
{
	if (r->tail - r->known_head > most - RECORD_MOST)
		r->known_head = __atomic_load_n(&r->page->head, __ATOMIC_ACQUIRE);
	return r->tail - r->known_head;
}

/* With many rings each holds less, so that the amount of untaken data is bounded too. */
bool softhca_ring_room(const struct softhca_wire *w, struct ring_out *r)
{
	uint32_t most = RING_BYTES / 2;

	if (w->rings_out_count > RINGS_BYTES / RING_BYTES)
		most = RINGS_BYTES / 2 / w->rings_out_count;
	if (most < SHARE_LEAST)
		most = SHARE_LEAST;
	return used_of(r, most) <= most;
}

uint8_t *softhca_ring_reserve(struct ring_out *r)
{
	const uint32_t used = used_of(r, RING_BYTES / 2), need = RECORD_MOST;
	uint32_t at = r->tail & (RING_BYTES - 1);

	/* A head beyond the tail is the receiver's fault, and its loss. */
	if (used > RING_BYTES)
		return NULL;
	if (RING_BYTES - at < need) {
		if (RING_BYTES - used < RING_BYTES - at + need)
			return NULL;
		((struct ring_record *)(void *)(r->data + at))->len = RING_SKIP;
		r->tail += RING_BYTES - at;
		at = 0;
	} else if (RING_BYTES - used < need) {
		return NULL;
	}
	return r->data + at + sizeof(struct ring_record);
}

void softhca_ring_push(struct ring_out *r, uint32_t len, uint32_t flags)
{
	struct ring_record *const record =
		(struct ring_record *)(void *)(r->data + (r->tail & (RING_BYTES - 1)));

	record->len = len;
	record->flags = flags;
	r->tail += record_bytes(len);
	if (r->tail - r->seen < r->show)
		return;
	__atomic_store_n(&r->page->tail, r->tail, __ATOMIC_RELEASE);
	r->seen = r->tail;
	r->show = r->show < SHOW_MOST ? 2 * r->show : SHOW_MOST;
}

/* ---- lines ---- */

#define LINE	64u
#define AHEAD	(4u * 1024 + 512) /* a page and its headers */

/* Fetches a line for writing in advance, without waiting. */
static void want_line(const uint8_t *line)
{
#if defined(__x86_64__)
	/* The compiler has this for some processors only. Others ignore it. */
	__asm__ volatile("prefetchw %0" : : "m"(*line));
#else
	__builtin_prefetch(line, 1);
#endif
}

/* Fetches the next burst's lines, probably like this one's. The receiver had them a lap ago. */
static void want_lines(const struct ring_out *r, uint32_t bytes)
{
	for (uint32_t at = 0; at < bytes && at < AHEAD; at += LINE)
		want_line(r->data + ((r->tail + at) & (RING_BYTES - 1)));
}

/* Wakes the receiver. Its ring is dropped if the receiver is gone. */
static void tell(struct softhca_wire *w, struct ring_out *r)
{
	if (send(r->fd, "w", 1, MSG_NOSIGNAL) == 1 || errno == EAGAIN) {
		r->sure = r->shown;
		return;
	}
	resend(w, r);
	out_drop(w, r);
}

static bool is_asleep(struct ring_out *r, uint64_t now)
{
	const uint64_t turned = __atomic_load_n(&r->page->turned_ns, __ATOMIC_RELAXED);

	if (__atomic_load_n(&r->page->sleeps, __ATOMIC_SEQ_CST) &&
	    __atomic_exchange_n(&r->page->sleeps, 0, __ATOMIC_SEQ_CST))
		return true;
	/* It polled often and then went on with its work. One wake-up is enough. */
	if (now - turned < STALE_NS || turned > now || r->told_turn == turned)
		return false;
	r->told_turn = turned;
	return true;
}

/* A receiver that takes nothing may be dead, which a wake-up shows. */
static bool is_stuck(struct ring_out *r, uint64_t now)
{
	uint32_t head;

	if (now - r->looked_ns < LOOK_NS)
		return false;
	r->looked_ns = now;
	head = r->known_head = __atomic_load_n(&r->page->head, __ATOMIC_RELAXED);
	if (head != r->seen_head || head == r->tail) {
		r->seen_head = head;
		r->stuck_ns = 0;
		return false;
	}
	if (!r->stuck_ns)
		r->stuck_ns = now;
	if (now - r->stuck_ns < STUCK_NS)
		return false;
	r->stuck_ns = now;
	return true;
}

/* It can do nothing before we leave the processor, and by then there may be more for it. */
static bool may_sleep_on(const struct ring_out *r, int patient_cpu)
{
	return patient_cpu >= 0 && r->page->receiver_cpu == patient_cpu &&
	       __atomic_load_n(&r->page->sleeps, __ATOMIC_SEQ_CST);
}

/* ---- giving memory back ---- */

static void keep(struct softhca_wire *w, struct ring_out *r, uint32_t bytes)
{
	w->rings_kept += bytes - r->kept;
	r->kept = bytes;
}

/* Only the sender gives pages back, and only of taken data. Pages that are written again return. */
static void give_back(struct softhca_wire *w, struct ring_out *r)
{
	const uint32_t used = r->tail - __atomic_load_n(&r->page->head, __ATOMIC_ACQUIRE);
	uint32_t from = (r->tail + RING_PAGE - 1) & ~(RING_PAGE - 1), at, part;
	uint32_t left = ((r->tail - used) & ~(RING_PAGE - 1)) + RING_BYTES - from;

	/* More than the ring's size is the receiver's fault. Less than a page is too little. */
	if (used > RING_BYTES || left > RING_BYTES)
		return;
	for (; left; left -= part, from += part) {
		at = from & (RING_BYTES - 1);
		part = left < RING_BYTES - at ? left : RING_BYTES - at;
		(void)madvise(r->data + at, part, MADV_REMOVE);
	}
	keep(w, r, used);
}

static void note_shown(struct softhca_wire *w, struct ring_out *r, uint32_t fresh, uint64_t now)
{
	if (__atomic_load_n(&r->page->turned_ns, __ATOMIC_RELAXED) > r->pushed_ns)
		r->sure = r->shown;
	r->shown = r->seen = r->tail;
	r->show = SHOW_FIRST;
	r->pushed_ns = now;
	keep(w, r, r->kept + fresh < RING_BYTES ? r->kept + fresh : RING_BYTES);
	for (r = w->rings_kept > RINGS_BYTES ? w->rings_out : NULL; r; r = r->next)
		give_back(w, r);
}

void softhca_ring_flush(struct softhca_wire *w, int patient_cpu)
{
	struct ring_out *next;
	uint64_t now = 0;

	for (struct ring_out *r = w->rings_out; r; r = next) {
		const uint32_t fresh = r->tail - r->shown;
		const bool owed = r->owed;

		next = r->next;
		if (!fresh && r->kept && w->now - r->pushed_ns > IDLE_NS && w->now > r->pushed_ns) {
			r->pushed_ns = w->now;
			give_back(w, r);
		}
		if (!fresh && !owed &&
		    (r->tail == r->known_head || w->now - r->looked_ns < LOOK_NS))
			continue;
		if (!now)
			now = softhca_now_ns();
		if (fresh) {
			/* Before the check for a sleeping receiver, which announces it earlier. */
			(void)__atomic_exchange_n(&r->page->tail, r->tail, __ATOMIC_SEQ_CST);
			note_shown(w, r, fresh, now);
			want_lines(r, fresh);
		}
		r->owed = fresh && !owed && may_sleep_on(r, patient_cpu);
		if (r->owed)
			continue;
		if (((fresh || owed) && is_asleep(r, now)) || is_stuck(r, now))
			tell(w, r);
	}
}

/* ---- in ---- */

static void in_drop(struct softhca_wire *w, struct ring_in **p)
{
	struct ring_in *const r = *p;

	*p = r->next;
	w->rings_in_count--;
	if (r->page)
		munmap(r->page, RING_MAP);
	free(r);
}

static bool is_there(uint32_t ip)
{
	const int fd = connect_to(ip);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

/* Senders that have ended leave their rings behind. */
static void sweep(struct softhca_wire *w)
{
	for (struct ring_in **p = &w->rings_in; *p;) {
		if ((*p)->broken || !is_there((*p)->ip))
			in_drop(w, p);
		else
			p = &(*p)->next;
	}
}

static void take(struct softhca_wire *w, uint32_t ip, int fd)
{
	struct ring_page *const page = map_offer(fd);
	struct ring_in *const r = page ? calloc(1, sizeof(*r)) : NULL;
	struct ring_out *out;

	if (!r) {
		if (page)
			munmap(page, RING_MAP);
		return;
	}
	/* The former owner of the address is gone, and our ring to it as well. */
	(void)softhca_ring_poll(w, softhca_now_ns());
	out = find_out(w, ip);
	if (out)
		tell(w, out);
	for (struct ring_in **p = &w->rings_in; *p;)
		if ((*p)->ip == ip)
			in_drop(w, p);
		else
			p = &(*p)->next;
	if (w->rings_in_count >= w->sweep_at) {
		sweep(w);
		w->sweep_at = w->rings_in_count < MANY / 2 ? MANY : 2 * w->rings_in_count;
	}
	*r = (struct ring_in){
		.ip = ip,
		.page = page,
		.data = (const uint8_t *)page + RING_PAGE,
		.next = w->rings_in,
	};
	w->rings_in = r;
	w->rings_in_count++;
	__atomic_store_n(&page->sleeps, w->ring_sleeps, __ATOMIC_SEQ_CST);
	__atomic_store_n(&page->taken, 1, __ATOMIC_RELEASE);
}

/* Takes over a datagram's descriptors, or none. True if its sender is of our network. */
static bool unpack(struct msghdr *m, int *fds, int max)
{
	bool trusted = softhca_fabric_trusts(UINT32_MAX);
	struct ucred cred;
	int n = 0;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
		const size_t bytes = c->cmsg_len - CMSG_LEN(0);

		if (c->cmsg_level != SOL_SOCKET)
			continue;
		if (c->cmsg_type == SCM_CREDENTIALS && bytes >= sizeof(cred)) {
			memcpy(&cred, CMSG_DATA(c), sizeof(cred));
			trusted = softhca_fabric_trusts(cred.uid);
		}
		for (size_t i = 0;
		     c->cmsg_type == SCM_RIGHTS && n < max && i + sizeof(int) <= bytes;
		     i += sizeof(int))
			memcpy(&fds[n++], CMSG_DATA(c) + i, sizeof(int));
	}
	return trusted;
}

#define OFFER_FDS 4

/* Handles one datagram, a wake-up or an offer. False: there is none, or no more to expect. */
static bool accept_one(struct softhca_wire *w)
{
	_Alignas(struct cmsghdr) char
		control[CMSG_SPACE(OFFER_FDS * sizeof(int)) + CMSG_SPACE(sizeof(struct ucred))];
	int fds[OFFER_FDS + 1] = {-1, -1, -1, -1, -1};
	struct sockaddr_un from;
	char byte;
	struct iovec iov = {&byte, 1};
	struct msghdr m = {
		.msg_name = &from,
		.msg_namelen = sizeof(from),
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	uint32_t ip;

	if (recvmsg(w->ring_fd, &m, MSG_CMSG_CLOEXEC) < 0)
		return false;
	ip = ip_of(&from, m.msg_namelen);
	if (unpack(&m, fds, OFFER_FDS) && ip && fds[0] >= 0)
		take(w, ip, fds[0]);
	for (int *fd = fds; *fd >= 0; fd++)
		close(*fd);
	return fds[0] >= 0;
}

void softhca_ring_accept(struct softhca_wire *w)
{
	for (int i = 0; w->ring_fd >= 0 && i < OFFERS_TURN && accept_one(w); i++)
		;
}

bool softhca_ring_sleep(struct softhca_wire *w, bool sleeps)
{
	bool any = false;

	if (w->ring_sleeps == sleeps && !sleeps)
		return false;
	w->ring_sleeps = sleeps;
	softhca_ring_flush(w, -1);
	for (struct ring_in *r = w->rings_in; r; r = r->next) {
		__atomic_store_n(&r->page->sleeps, sleeps, __ATOMIC_SEQ_CST);
		any |= !r->broken && __atomic_load_n(&r->page->tail, __ATOMIC_ACQUIRE) != r->head;
	}
	return any;
}

bool softhca_ring_on_cpu(struct softhca_wire *w, int cpu)
{
	bool there = false;

	for (struct ring_in *r = w->rings_in; r; r = r->next) {
		there |= r->page->sender_cpu == cpu;
		if (r->page->receiver_cpu != cpu)
			r->page->receiver_cpu = cpu;
	}
	for (struct ring_out *r = w->rings_out; r; r = r->next) {
		there |= r->page->receiver_cpu == cpu;
		if (r->page->sender_cpu != cpu)
			r->page->sender_cpu = cpu;
	}
	return there;
}

/* ---- reading ---- */

#define TURN_BYTES    (RING_BYTES / 2)
#define COPIED_BYTES  512u  /* data that may be read twice is read in a copy */
#define GIVE_BACK     16384u
#define FETCH	      2048u

static void broken(struct softhca_wire *w, struct ring_in *r)
{
	r->broken = true;
	w->stats.rx_bad++;
}

static void deliver(struct softhca_wire *w, const struct ring_in *r, const uint8_t *data,
		    struct ring_record record)
{
	const bool sealed = record.flags & RING_SEALED;
	uint8_t copy[COPIED_BYTES];

	/* Data is taken out once, in place. All other bytes must not change while they are read. */
	if (record.len <= sizeof(copy)) {
		memcpy(copy, data, record.len);
		data = copy;
	}
	softhca_wire_deliver_as(w, data, record.len, r->ip, w->ip, sealed);
}

/* Finds the record at `r->head`. False: there is none, or an invalid one. */
static bool next_record(struct softhca_wire *w, struct ring_in *r, uint32_t tail,
			struct ring_record *record)
{
	const int found = record_at(r->data, &r->head, tail, record);

	if (found < 0)
		broken(w, r);
	return found > 0;
}

/* Fetches the next lines, up to `tail`, while the previous ones are processed. */
static uint32_t fetch_lines(const struct ring_in *r, uint32_t from, uint32_t tail)
{
	const uint32_t end = tail - r->head < FETCH ? tail : r->head + FETCH;

	if ((int32_t)(from - r->head) < 0)
		from = r->head;
	for (; (int32_t)(end - from) > 0; from += LINE)
		__builtin_prefetch(r->data + (from & (RING_BYTES - 1)));
	return from;
}

static int poll_one(struct softhca_wire *w, struct ring_in *r, uint64_t now)
{
	const uint32_t tail = __atomic_load_n(&r->page->tail, __ATOMIC_ACQUIRE);
	const uint32_t start = r->head;
	uint32_t given = r->head, fetched = r->head;
	struct ring_record record;
	int n = 0;

	if (tail == r->head)
		return 0;
	if (!r->in_order) {
		softhca_wire_empty_socket(w);
		r->in_order = true;
	}
	softhca_wire_looked();
	while (r->head - start < TURN_BYTES && next_record(w, r, tail, &record)) {
		const uint32_t at = r->head & (RING_BYTES - 1);

		fetched = fetch_lines(r, fetched, tail);
		deliver(w, r, r->data + at + sizeof(record), record);
		r->head += record_bytes(record.len);
		n++;
		if (r->head - given >= GIVE_BACK) {
			given = r->head;
			__atomic_store_n(&r->page->head, given, __ATOMIC_RELEASE);
		}
	}
	__atomic_store_n(&r->page->head, r->head, __ATOMIC_RELEASE);
	softhca_wire_peer(w, r->ip)->heard_ns = now;
	return n;
}

int softhca_ring_poll(struct softhca_wire *w, uint64_t now)
{
	struct ring_in *next;
	int n = 0;

	for (struct ring_in *r = w->rings_in; r; r = next) {
		next = r->next;
		if (r->broken)
			continue;
		if (now - r->page->turned_ns > TURN_NS)
			__atomic_store_n(&r->page->turned_ns, now, __ATOMIC_RELAXED);
		n += poll_one(w, r, now);
	}
	return n;
}

void softhca_ring_answered(struct softhca_wire *w)
{
	for (struct ring_in *r = w->rings_in; r; r = r->next)
		if (r->page->answered != r->head)
			__atomic_store_n(&r->page->answered, r->head, __ATOMIC_RELEASE);
}

/* ---- the end ---- */

void softhca_ring_close_all(struct softhca_wire *w)
{
	while (w->rings_in)
		in_drop(w, &w->rings_in);
	while (w->rings_out)
		out_drop(w, w->rings_out);
	if (w->ring_fd >= 0)
		close(w->ring_fd);
	w->ring_fd = -1;
}

void softhca_ring_forget_all(struct softhca_wire *w)
{
	for (struct ring_out *r = w->rings_out; r; r = r->next)
		r->page = NULL;
	for (struct ring_in *r = w->rings_in; r; r = r->next)
		r->page = NULL;
	softhca_ring_close_all(w);
}
