/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/softhca/preloadable.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens the file that execvp() would run, or returns -1. */
static int open_command(const char *command)
{
	const char *path = getenv("PATH");

	if (strchr(command, '/') || !path)
		return open(command, O_RDONLY | O_CLOEXEC);
	while (*path) {
		const size_t len = strcspn(path, ":");
		char full[PATH_MAX];

		snprintf(full, sizeof(full), "%.*s/%s", (int)len, path, command);
		if (!access(full, X_OK))
			return open(full, O_RDONLY | O_CLOEXEC);
		path += len + (path[len] == ':');
	}
	return -1;
}

/* Reads the program headers; false if this is no ELF file of this machine's word size. */
static bool has_interpreter(int fd, bool *found)
{
	ElfW(Ehdr) elf;
	ElfW(Phdr) segment;

	*found = false;
	if (pread(fd, &elf, sizeof(elf), 0) != (ssize_t)sizeof(elf) ||
	    memcmp(elf.e_ident, ELFMAG, SELFMAG) ||
	    elf.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32))
		return false;
	for (unsigned int i = 0; i < elf.e_phnum; i++) {
		const off_t at = (off_t)(elf.e_phoff + (size_t)i * elf.e_phentsize);

		if (pread(fd, &segment, sizeof(segment), at) != (ssize_t)sizeof(segment))
			return false;
		if (segment.p_type == PT_INTERP)
			*found = true;
	}
	return true;
}

const char *softhca_not_preloadable(const char *command)
{
	const char *why = NULL;
	int fd = open_command(command);
	struct stat st;
	bool dynamic;

	if (fd < 0)
		return NULL; /* execvp() will say it better */
	if (has_interpreter(fd, &dynamic)) {
		if (!dynamic)
			why = "is statically linked, so it will not see the device";
		else if (!fstat(fd, &st) && (st.st_mode & (S_ISUID | S_ISGID)) && getuid() != 0)
			why = "is set-user-id, so the loader ignores the device";
	}
	close(fd);
	return why;
}
