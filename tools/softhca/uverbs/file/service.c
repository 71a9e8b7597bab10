/* SPDX-License-Identifier: BSD-2-Clause */
/* Registry of services, such as the connection manager, that add device files of their own. */
#include "tools/softhca/uverbs/service.h"

#include "tools/softhca/uverbs/file/file.h"

void uv_service_join(const struct uv_service *service)
{
	size_t n = 0;

	while (n < UV_MAX_SERVICES && the_file.services[n])
		n++;
	if (n < UV_MAX_SERVICES)
		the_file.services[n] = service;
}

const struct uv_service *const *uv_services(void)
{
	return the_file.services;
}

const struct uv_service *uv_service_of(int index)
{
	const struct uv_service *const *s = the_file.services;

	while (*s && (index < (*s)->first_index || index > (*s)->last_index))
		s++;
	return *s;
}

void uv_services_seen(void)
{
	for (const struct uv_service *const *s = the_file.services; *s; s++)
		if ((*s)->seen)
			(*s)->seen();
}

void uv_services_start(void)
{
	for (const struct uv_service *const *s = the_file.services; *s; s++)
		if ((*s)->start)
			(*s)->start();
}

void uv_services_fork_child(void)
{
	for (const struct uv_service *const *s = the_file.services; *s; s++)
		(*s)->fork_child();
}

void uv_services_goodbye(void)
{
	for (const struct uv_service *const *s = the_file.services; *s; s++)
		if ((*s)->goodbye)
			(*s)->goodbye();
}

void uv_services_tree(struct uv_tree *t, const struct uv_sysfs_dev *dev, const char *pci, int index)
{
	for (const struct uv_service *const *s = the_file.services; *s; s++)
		(*s)->tree(t, dev, pci, index);
}
