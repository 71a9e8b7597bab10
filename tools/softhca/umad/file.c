/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Open files, the agents that programs register with them, sent requests and pending answers. The
 * checks and their errnos are those of Linux's drivers/infiniband/core/user_mad.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <rdma/ib_user_mad.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "tools/softhca/engine/wire/wire.h"
#include "tools/softhca/umad/mad.h"
#include "tools/softhca/umad/umad.h"
#include "tools/softhca/uverbs/libc/fdtab.h"
#include "tools/softhca/uverbs/libc/libc.h"

#define AGENTS	     32u
#define OLD_HEADER   offsetof(struct ib_user_mad_hdr, pkey_index)
#define LEAST	     36u  /* bytes of a written datagram */
#define VENDOR_2     0x30 /* classes with an organisation's number */
#define VENDOR_2_END 0x4f
#define PENDING_MAX  1024u

struct agent {
	bool used;
	uint8_t qpn, class, version;
	uint8_t oui[3];
	uint64_t methods[2]; /* of requests for it */
};

/* A request without its answer yet. */
struct pending {
	struct pending *next;
	uint64_t deadline, timeout_ns, tid;
	uint32_t retries, ip;
	struct ib_user_mad_hdr hdr;
	uint8_t mad[SOFTHCA_MAD_SIZE];
};

struct umad_file {
	struct umad_file *next;
	dev_t st_dev;
	ino_t st_ino;
	struct softhca_dev *dev;
	unsigned int port;
	int fd;	    /* our end. The application reads what is written there */
	bool pkeys; /* headers have a P_Key index */
	struct agent agents[AGENTS];
	struct pending *pending;
	unsigned int npending;
};

static struct {
	struct umad_file *files;
	unsigned int num_open;
} the_umad;

static struct umad_file *find(const struct stat *st)
{
	for (struct umad_file *f = the_umad.files; f; f = f->next)
		if (f->st_ino == st->st_ino && f->st_dev == st->st_dev)
			return f;
	return NULL;
}

static size_t header_size(const struct umad_file *f)
{
	return f->pkeys ? sizeof(struct ib_user_mad_hdr) : OLD_HEADER;
}

/* ---- to the application ---- */

/* An application that does not read loses datagrams, as with Linux. */
static void give(const struct umad_file *f, struct ib_user_mad_hdr hdr, const uint8_t *mad,
		 size_t len)
{
	uint8_t record[sizeof(hdr) + MAD_SA_MAX];
	const size_t head = header_size(f);

	hdr.length = (uint32_t)(head + len);
	memcpy(record, &hdr, head);
	memcpy(record + head, mad, len);
	(void)!send(f->fd, record, head + len, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void give_from(const struct umad_file *f, uint32_t agent, uint32_t ip, const uint8_t *mad,
		      size_t len)
{
	struct ib_user_mad_hdr hdr = {.id = agent};
	struct softhca_port_attr attr;

	hdr.qpn = segue_be32(softhca_gsi_is_subnet(mad) ? 0 : SOFTHCA_GSI_QPN);
	if (softhca_port_query(f->dev, f->port, &attr))
		return;
	if (attr.link == SOFTHCA_LINK_IB) {
		hdr.lid = segue_be16((uint16_t)ip);
	} else {
		hdr.grh_present = 1;
		hdr.hop_limit = 64;
		softhca_ip_to_gid(ip, hdr.gid);
	}
	give(f, hdr, mad, len);
}

/* ---- agents ---- */

static bool wants(const struct agent *a, const uint8_t *mad)
{
	const unsigned int method = mad[MAD_METHOD] & 0x7f;

	if (!a->used || a->class != mad[1] || a->version != mad[2])
		return false;
	if (a->class >= VENDOR_2 && a->class <= VENDOR_2_END &&
	    memcmp(a->oui, mad + MAD_OUI, sizeof(a->oui)))
		return false;
	return a->methods[method / 64] >> method % 64 & 1;
}

static void deliver_request(const struct softhca_gsi_from *from, const uint8_t *mad)
{
	for (struct umad_file *f = the_umad.files; f; f = f->next)
		for (uint32_t i = 0; i < AGENTS; i++)
			if (f->dev == from->dev && f->port == from->port &&
			    wants(&f->agents[i], mad)) {
				give_from(f, i, from->ip, mad, SOFTHCA_MAD_SIZE);
				return;
			}
}

static void drop(struct umad_file *f, struct pending **link)
{
	struct pending *const p = *link;

	*link = p->next;
	f->npending--;
	free(p);
}

/* An answer goes to the agent that asked, and only once. */
static void deliver_answer(const struct softhca_gsi_from *from, const uint8_t *mad, size_t len)
{
	for (struct umad_file *f = the_umad.files; f; f = f->next) {
		if (f->dev != from->dev || f->port != from->port)
			continue;
		for (struct pending **link = &f->pending; *link; link = &(*link)->next) {
			if ((*link)->tid != get64(mad + MAD_TID) || (*link)->mad[1] != mad[1] ||
			    (*link)->ip != from->ip)
				continue;
			give_from(f, (*link)->hdr.id, from->ip, mad, len);
			drop(f, link);
			return;
		}
	}
}

static void received(const struct softhca_gsi_from *from, const uint8_t mad[SOFTHCA_MAD_SIZE])
{
	uint8_t answer[SOFTHCA_MAD_SIZE];

	if (mad[0] != 1)
		return;
	if (mad_is_response(mad))
		deliver_answer(from, mad, SOFTHCA_MAD_SIZE);
	else if (mad_answer(from->dev, from->port, mad, answer))
		softhca_gsi_send(from->dev, from->port, from->ip, answer);
	else
		deliver_request(from, mad);
}

/* ---- time-outs ---- */

static int run_file(struct umad_file *f, uint64_t now, uint64_t *next_ns)
{
	struct pending **link = &f->pending;
	int n = 0;

	while (*link) {
		struct pending *const p = *link;

		if (p->deadline <= now) {
			n++;
			if (!p->retries) {
				p->hdr.status = ETIMEDOUT;
				give(f, p->hdr, p->mad, MAD_HEADER);
				drop(f, link);
				continue;
			}
			p->retries--;
			p->deadline = now + p->timeout_ns;
			if (p->ip)
				softhca_gsi_send(f->dev, f->port, p->ip, p->mad);
		}
		if (p->deadline < *next_ns)
			*next_ns = p->deadline;
		link = &p->next;
	}
	return n;
}

static int run(uint64_t now, uint64_t *next_ns)
{
	int n = 0;

	for (struct umad_file *f = the_umad.files; f; f = f->next)
		n += run_file(f, now, next_ns);
	return n;
}

static const struct softhca_gsi_ops ops = {.receive = received, .run = run};

void umad_start(void)
{
	softhca_gsi_register(&ops);
}

/* ---- sending ---- */

/* Address of the destination, possibly our own. 0 if there is none. */
static uint32_t destination(const struct umad_file *f, const struct ib_user_mad_hdr *hdr,
			    const uint8_t *mad, const struct softhca_port_attr *attr)
{
	const uint16_t lid = segue_be16(hdr->lid);
	const uint32_t own = softhca_gsi_port_ip(f->dev, f->port);

	if (attr->link != SOFTHCA_LINK_IB)
		return hdr->grh_present ? softhca_gid_to_ip(hdr->gid) : 0;
	if (mad[1] == MAD_SUBN_DIRECTED)
		return mad[MAD_HOP_COUNT] ? 0
					  : own; /* there is no device at the link's other end */
	return lid == attr->lid ? own : lid && lid <= 0xbfff ? softhca_lid_to_ip(lid) : 0;
}

/* The subnet administrator, and the agents of this port itself, answer at once. */
static void send_here(const struct umad_file *f, uint32_t ip, const uint8_t *mad)
{
	const struct softhca_gsi_from from = {f->dev, f->port, ip};
	uint8_t answer[MAD_SA_MAX];
	size_t len = SOFTHCA_MAD_SIZE;

	if (mad_is_response(mad)) {
		deliver_answer(&from, mad, len);
		return;
	}
	if (mad[1] == MAD_SA)
		len = mad_sa(f->dev, f->port, mad, answer);
	else if (!mad_answer(f->dev, f->port, mad, answer)) {
		deliver_request(&from, mad);
		return;
	}
	if (len)
		deliver_answer(&from, answer, len);
}

static int remember(struct umad_file *f, const struct ib_user_mad_hdr *hdr, uint32_t ip,
		    const uint8_t *mad)
{
	struct pending **end = &f->pending;
	struct pending *p;

	/* Two with one number would be indistinguishable. */
	for (; *end; end = &(*end)->next)
		if ((*end)->tid == get64(mad + MAD_TID) && (*end)->mad[1] == mad[1])
			return -EINVAL;
	if (f->npending >= PENDING_MAX)
		return -ENOMEM;
	p = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	p->timeout_ns = hdr->timeout_ms * 1000000ull;
	p->deadline = softhca_now_ns() + p->timeout_ns;
	p->retries = hdr->retries;
	p->tid = get64(mad + MAD_TID);
	p->ip = ip;
	p->hdr = *hdr;
	memcpy(p->mad, mad, SOFTHCA_MAD_SIZE);
	*end = p;
	f->npending++;
	return 0;
}

/* The upper half of a request's number gives its agent on this machine. */
static void number_it(const struct umad_file *f, uint32_t agent, uint8_t *mad)
{
	put32(mad + MAD_TID, (uint32_t)(f->st_ino << 5 | agent));
}

static int send_mad(struct umad_file *f, const struct ib_user_mad_hdr *hdr, uint8_t *mad)
{
	struct softhca_port_attr attr;
	uint32_t ip;
	int err = softhca_port_query(f->dev, f->port, &attr);

	if (err)
		return err;
	ip = destination(f, hdr, mad, &attr);
	if (!mad_is_response(mad)) {
		number_it(f, hdr->id, mad);
		if (hdr->timeout_ms)
			err = remember(f, hdr, ip, mad);
		if (err)
			return err;
	}
	if (ip == softhca_gsi_port_ip(f->dev, f->port) ||
	    (mad[1] == MAD_SA && attr.link == SOFTHCA_LINK_IB &&
	     segue_be16(hdr->lid) == attr.sm_lid))
		send_here(f, ip, mad);
	else if (ip)
		softhca_gsi_send(f->dev, f->port, ip, mad);
	return 0;
}

ssize_t umad_write(const struct stat *st, const void *buf, size_t len)
{
	struct umad_file *const f = find(st);
	uint8_t record[sizeof(struct ib_user_mad_hdr) + SOFTHCA_MAD_SIZE] = {0};
	struct ib_user_mad_hdr hdr = {0};
	size_t head;
	int err;

	if (!f)
		return -EBADF;
	head = header_size(f);
	/* The kernel would send longer ones in pieces. */
	if (len < head + LEAST || len > head + SOFTHCA_MAD_SIZE)
		return -EINVAL;
	if (softhca_copy_in(record, (uint64_t)(uintptr_t)buf, len))
		return -EFAULT;
	memcpy(&hdr, record, head);
	if (hdr.id >= AGENTS || !f->agents[hdr.id].used ||
	    f->agents[hdr.id].qpn != !softhca_gsi_is_subnet(record + head))
		return -EINVAL;
	err = send_mad(f, &hdr, record + head);
	return err ? err : (ssize_t)len;
}

ssize_t umad_read(int fd, void *buf, size_t len)
{
	uint8_t whole[sizeof(struct ib_user_mad_hdr) + MAD_SA_MAX];
	const ssize_t size = recv(fd, whole, sizeof(whole), MSG_PEEK);

	if (size < 0)
		return -errno;
	if (len < (size_t)size) {
		/* It stays, and its beginning, if there is room, gives its length. */
		if (size <= (ssize_t)(sizeof(struct ib_user_mad_hdr) + SOFTHCA_MAD_SIZE) ||
		    len < OLD_HEADER + SOFTHCA_MAD_SIZE)
			return -EINVAL;
		return softhca_copy_out((uint64_t)(uintptr_t)buf, whole, len) ? -EFAULT : -ENOSPC;
	}
	if (softhca_copy_out((uint64_t)(uintptr_t)buf, whole, (size_t)size))
		return -EFAULT;
	return recv(fd, whole, sizeof(whole), MSG_DONTWAIT) == size ? size : -EAGAIN;
}

/* ---- registering ---- */

static int add_agent(struct umad_file *f, const struct agent *a, uint32_t *id)
{
	struct softhca_port_attr attr;
	const bool subnet = a->class == MAD_SUBN_LID || a->class == MAD_SUBN_DIRECTED;
	uint32_t n = 0;

	if (a->qpn > 1 || softhca_port_query(f->dev, f->port, &attr))
		return -EINVAL;
	if (a->class && subnet != !a->qpn)
		return -EINVAL;
	if (!a->qpn && attr.link != SOFTHCA_LINK_IB)
		return -EPROTONOSUPPORT;
	while (n < AGENTS && f->agents[n].used)
		n++;
	if (n == AGENTS)
		return -ENOMEM;
	f->agents[n] = *a;
	f->agents[n].used = true;
	*id = n;
	return 0;
}

static int register_old(struct umad_file *f, void *arg)
{
	struct ib_user_mad_reg_req req;
	struct agent a = {0};
	int err;

	if (softhca_copy_in(&req, (uint64_t)(uintptr_t)arg, sizeof(req)))
		return -EFAULT;
	a.qpn = req.qpn;
	a.class = req.mgmt_class;
	a.version = req.mgmt_class_version;
	memcpy(a.oui, req.oui, sizeof(a.oui));
	memcpy(a.methods, req.method_mask, sizeof(a.methods));
	err = add_agent(f, &a, &req.id);
	return err ? err : softhca_copy_out((uint64_t)(uintptr_t)arg, &req.id, sizeof(req.id));
}

static int register_new(struct umad_file *f, void *arg)
{
	struct ib_user_mad_reg_req2 req;
	struct agent a = {0};
	int err;

	if (softhca_copy_in(&req, (uint64_t)(uintptr_t)arg, sizeof(req)))
		return -EFAULT;
	if (req.qpn > 1 || req.oui & 0xff000000)
		return -EINVAL;
	if (req.flags & ~(uint32_t)IB_USER_MAD_REG_FLAGS_CAP) {
		req.flags = IB_USER_MAD_REG_FLAGS_CAP;
		(void)softhca_copy_out((uint64_t)(uintptr_t)arg, &req, sizeof(req));
		return -EINVAL;
	}
	a.qpn = (uint8_t)req.qpn;
	a.class = req.mgmt_class;
	a.version = req.mgmt_class_version;
	put24(a.oui, req.oui);
	memcpy(a.methods, req.method_mask, sizeof(a.methods));
	err = add_agent(f, &a, &req.id);
	return err ? err : softhca_copy_out((uint64_t)(uintptr_t)arg, &req.id, sizeof(req.id));
}

static int unregister(struct umad_file *f, void *arg)
{
	struct pending **link = &f->pending;
	uint32_t id;

	if (softhca_copy_in(&id, (uint64_t)(uintptr_t)arg, sizeof(id)))
		return -EFAULT;
	if (id >= AGENTS || !f->agents[id].used)
		return -EINVAL;
	f->agents[id].used = false;
	while (*link) {
		if ((*link)->hdr.id == id)
			drop(f, link);
		else
			link = &(*link)->next;
	}
	return 0;
}

int umad_ioctl(const struct stat *st, unsigned long request, void *arg)
{
	struct umad_file *const f = find(st);

	if (!f)
		return -EBADF;
	switch (request) {
	case IB_USER_MAD_REGISTER_AGENT:
		return register_old(f, arg);
	case IB_USER_MAD_REGISTER_AGENT2:
		return register_new(f, arg);
	case IB_USER_MAD_UNREGISTER_AGENT:
		return unregister(f, arg);
	case IB_USER_MAD_ENABLE_PKEY:
		f->pkeys = true;
		return 0;
	default:
		return -ENOTTY; /* Linux returns ENOIOCTLCMD */
	}
}

/* ---- opening and closing ---- */

int umad_open(struct softhca_dev *dev, unsigned int port, int flags, struct stat *st)
{
	const int type = SOCK_SEQPACKET | (flags & O_NONBLOCK ? SOCK_NONBLOCK : 0) |
			 (flags & O_CLOEXEC ? SOCK_CLOEXEC : 0);
	struct umad_file *const f = calloc(1, sizeof(*f));
	int fds[2];

	if (!f)
		return -ENOMEM;
	if (socketpair(AF_UNIX, type, 0, fds)) {
		free(f);
		return -errno;
	}
	if (uv_sys_fstat(fds[0], st)) {
		uv_libc()->close(fds[0]);
		uv_libc()->close(fds[1]);
		free(f);
		return -EMFILE;
	}
	f->st_dev = st->st_dev;
	f->st_ino = st->st_ino;
	f->dev = dev;
	f->port = port;
	f->fd = uv_fd_hide(fds[1]);
	f->next = the_umad.files;
	the_umad.files = f;
	__atomic_add_fetch(&the_umad.num_open, 1, __ATOMIC_RELEASE);
	return fds[0];
}

bool umad_any_open(void)
{
	return __atomic_load_n(&the_umad.num_open, __ATOMIC_ACQUIRE) != 0;
}

static void free_file(struct umad_file *f)
{
	while (f->pending)
		drop(f, &f->pending);
	free(f);
}

void umad_closed(const struct stat *st)
{
	for (struct umad_file **p = &the_umad.files; *p; p = &(*p)->next) {
		struct umad_file *const f = *p;

		if (f->st_ino != st->st_ino || f->st_dev != st->st_dev)
			continue;
		*p = f->next;
		uv_fd_close(f->fd);
		free_file(f);
		__atomic_sub_fetch(&the_umad.num_open, 1, __ATOMIC_RELEASE);
		return;
	}
}

/* Its memory is a copy. Its sockets are the parent's and closed by now. */
void umad_fork_child(void)
{
	while (the_umad.files) {
		struct umad_file *const next = the_umad.files->next;

		free_file(the_umad.files);
		the_umad.files = next;
	}
	__atomic_store_n(&the_umad.num_open, 0, __ATOMIC_RELEASE);
	softhca_gsi_unregister(&ops);
}
