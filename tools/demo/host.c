/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Common parts of the small demos: the device, a queue pair, and the connection between server and
 * clients.
 */
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segue/base.h"
#include "segue/peers/exchange.h"

#define WAIT_MS	    60000
#define ACK_TIMEOUT 18 /* 4.096 us * 2^18 is a second: waiting for a processor is not death */

int host_complain(const struct host *host, const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", host->program, what, segue_errmsg());
	return 1;
}

int host_open(struct host *host, uint32_t completions)
{
	const struct segue_cq_options cq = {.entries = completions, .grow = true};
	int ret;

	ret = segue_device_open(NULL, &host->device);
	if (!ret)
		ret = segue_pd_open(host->device, &host->pd);
	if (!ret)
		ret = segue_cq_open(host->device, &cq, &host->cq);
	if (!ret)
		ret = segue_path_init(&host->path, host->device, 1);
	host->path.timeout = ACK_TIMEOUT;
	return ret;
}

int host_qp(struct host *host, struct segue_qp_options options, struct segue_qp **qp)
{
	int ret;

	options.type = SEGUE_QP_RC;
	options.send_cq = options.recv_cq = host->cq;
	ret = segue_qp_open(host->pd, &options, qp);
	if (!ret)
		ret = segue_endpoint_describe(&host->mine, *qp, &host->path);
	memcpy(host->mine.user, host->user, sizeof(host->user));
	return ret;
}

int host_connect(struct host *host, struct segue_qp *qp)
{
	struct segue_path path = host->path;
	int ret;

	ret = segue_path_set_peer(&path, &host->theirs);
	return ret ? ret : segue_qp_connect(qp, &path);
}

int host_listen(struct host *host, const char *port, int *listener)
{
	uint16_t number;

	if (segue_exchange_open(port, listener) || segue_exchange_port(*listener, &number))
		return host_complain(host, "cannot listen");
	printf("port %u\n", number);
	fflush(stdout);
	return 0;
}

int host_accept(struct host *host, int listener, unsigned int clients, unsigned int calls,
		host_qp_for qp_for, void *arg)
{
	struct segue_endpoint known[HOST_CLIENTS_MAX];
	unsigned int count = 0, call, i;
	struct segue_qp *next;

	if (qp_for(arg, 0, &next))
		return host_complain(host, "no queue pair");
	for (call = 0; call < clients * calls; call++) {
		if (segue_exchange_accept(listener, &host->mine, segue_deadline_in_ms(WAIT_MS),
					  &host->theirs))
			return host_complain(host, "nobody calls");
		for (i = 0; i < count && !segue_endpoint_equal(&known[i], &host->theirs); i++)
			;
		if (i < count)
			continue; /* not its first call */
		if (count == clients || host_connect(host, next))
			return host_complain(host, "cannot connect a client");
		known[count++] = host->theirs;
		if (count < clients && qp_for(arg, count, &next))
			return host_complain(host, "no queue pair");
	}
	return 0;
}

int host_call(struct host *host, const char *name, const char *port)
{
	return segue_exchange_connect(name, port, &host->mine, segue_deadline_in_ms(WAIT_MS),
				      &host->theirs);
}

int host_join(struct host *host, struct segue_qp *qp, const char *name, const char *port)
{
	if (host_call(host, name, port) || host_connect(host, qp) || host_call(host, name, port))
		return host_complain(host, "cannot join");
	return 0;
}

int host_main(int argc, char **argv, const struct host_commands *commands)
{
	const unsigned long number = argc > 3 ? strtoul(argv[argc - 1], NULL, 10) : 0;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		fputs(commands->usage, stdout);
		return 0;
	}
	if (argc == 4 && !strcmp(argv[1], "serve") && number >= 1 && number <= HOST_CLIENTS_MAX)
		return commands->serve(argv[2], (unsigned int)number);
	if (argc == 5 && !strcmp(argv[1], commands->client) && number >= 1 && number <= 1000000)
		return commands->use(argv[2], argv[3], (unsigned int)number);
	fputs(commands->usage, stderr);
	return 2;
}
