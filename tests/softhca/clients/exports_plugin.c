/* SPDX-License-Identifier: BSD-2-Clause */
/* A plug-in that has Segue's decoder in it, of whatever version: stands for any library whose names
 * are softhca's, too. */
#include <stddef.h>
#include <string.h>

size_t segue_wqe_print(const void *machine, const void *wqe, size_t len, int format, char *out,
		       size_t outlen);
int exports_plugin_prints_itself(void);

size_t segue_wqe_print(const void *machine, const void *wqe, size_t len, int format, char *out,
		       size_t outlen)
{
	(void)machine;
	(void)wqe;
	(void)len;
	(void)format;
	strncpy(out, "the plug-in's", outlen);
	return strlen(out);
}

/* Through the table of the loader, as other files of the plug-in would call it. */
int exports_plugin_prints_itself(void)
{
	char text[32] = "";

	/* softhca's would take this for an automaton and die. */
	if (segue_wqe_print("", "", 0, 0, text, sizeof(text)) != strlen("the plug-in's"))
		return 0;
	return !strcmp(text, "the plug-in's");
}
