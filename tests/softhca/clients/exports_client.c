/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens a device, so that softhca has something to do, and asks a plug-in whose function it calls.
 * usage: exports_client PLUGIN */
#include <dlfcn.h>
#include <infiniband/verbs.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	struct ibv_device **devices = ibv_get_device_list(NULL);
	int (*prints_itself)(void);
	void *plugin;

	if (argc != 2 || !devices || !devices[0]) {
		fprintf(stderr, "usage: softhca %s PLUGIN\n", argv[0]);
		return 2;
	}
	ibv_free_device_list(devices);
	plugin = dlopen(argv[1], RTLD_NOW);
	if (!plugin) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	*(void **)&prints_itself = dlsym(plugin, "exports_plugin_prints_itself");
	if (prints_itself && prints_itself())
		return 0;
	fprintf(stderr, "the plug-in's segue_wqe_print() is not its own\n");
	return 1;
}
