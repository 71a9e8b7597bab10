/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/softhca/uverbs/service.h"

static struct uv_service *services;

void uv_service_join(struct uv_service *service)
{
	service->next = services;
	services = service;
}

const struct uv_service *uv_service_first(void)
{
	return services;
}

const struct uv_service *uv_service_of(int index)
{
	const struct uv_service *s = services;

	while (s && (index < s->first_index || index > s->last_index))
		s = s->next;
	return s;
}

void uv_services_seen(void)
{
	for (const struct uv_service *s = services; s; s = s->next)
		if (s->seen)
			s->seen();
}

void uv_services_start(void)
{
	for (const struct uv_service *s = services; s; s = s->next)
		if (s->start)
			s->start();
}

void uv_services_fork_child(void)
{
	for (const struct uv_service *s = services; s; s = s->next)
		s->fork_child();
}

void uv_services_goodbye(void)
{
	for (const struct uv_service *s = services; s; s = s->next)
		if (s->goodbye)
			s->goodbye();
}

void uv_services_tree(struct uv_tree *t, const struct uv_sysfs_dev *dev, const char *pci, int index)
{
	for (const struct uv_service *s = services; s; s = s->next)
		s->tree(t, dev, pci, index);
}
