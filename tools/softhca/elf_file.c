/* SPDX-License-Identifier: BSD-2-Clause */
/* Inspects a command's ELF file before its start, to see if a library can be preloaded. */
#include "tools/softhca/elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
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

static bool read_at(int fd, void *out, size_t size, uint64_t at)
{
	return pread(fd, out, size, (off_t)at) == (ssize_t)size;
}

/* An ELF file of this machine's word size. */
static bool read_header(int fd, ElfW(Ehdr) *elf)
{
	return read_at(fd, elf, sizeof(*elf), 0) && !memcmp(elf->e_ident, ELFMAG, SELFMAG) &&
	       elf->e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32);
}

/* First segment of a type, containing an address of the program if one is given. */
static bool find_segment(int fd, const ElfW(Ehdr) * elf, uint32_t type, const ElfW(Addr) * holds,
			 ElfW(Phdr) * out)
{
	for (unsigned int i = 0; i < elf->e_phnum; i++) {
		if (!read_at(fd, out, sizeof(*out), elf->e_phoff + (uint64_t)i * elf->e_phentsize))
			return false;
		if (out->p_type == type && (!holds || *holds - out->p_vaddr < out->p_filesz))
			return true;
	}
	return false;
}

/* The i-th entry with this tag in the loader's table. */
static bool find_entry(int fd, const ElfW(Phdr) * table, ElfW(Sxword) tag, unsigned int i,
		       ElfW(Dyn) * out)
{
	for (uint64_t at = 0; at < table->p_filesz; at += sizeof(*out)) {
		if (!read_at(fd, out, sizeof(*out), table->p_offset + at) || out->d_tag == DT_NULL)
			return false;
		if (out->d_tag == tag && !i--)
			return true;
	}
	return false;
}

static bool is_sanitizer(const char *library)
{
	return !strncmp(library, "libasan.so", 10) || !strncmp(library, "libtsan.so", 10);
}

static void find_sanitizer(int fd, char out[64])
{
	ElfW(Phdr) table, names;
	ElfW(Dyn) entry, strings;
	ElfW(Ehdr) elf;
	char name[64];

	if (!read_header(fd, &elf) || !find_segment(fd, &elf, PT_DYNAMIC, NULL, &table) ||
	    !find_entry(fd, &table, DT_STRTAB, 0, &strings) ||
	    !find_segment(fd, &elf, PT_LOAD, &strings.d_un.d_ptr, &names))
		return;
	for (unsigned int i = 0; find_entry(fd, &table, DT_NEEDED, i, &entry); i++) {
		const uint64_t at = names.p_offset + (strings.d_un.d_ptr - names.p_vaddr) +
				    entry.d_un.d_val;
		const ssize_t size = pread(fd, name, sizeof(name) - 1, (off_t)at);

		name[size > 0 ? size : 0] = '\0';
		if (is_sanitizer(name)) {
			memcpy(out, name, strlen(name) + 1);
			return;
		}
	}
}

void softhca_sanitizer_of(const char *command, char out[64])
{
	const int fd = open_command(command);

	out[0] = '\0';
	if (fd < 0)
		return;
	find_sanitizer(fd, out);
	close(fd);
}

/* True for musl's loader, which cannot load a library made for the GNU C library. */
static bool wants_musl(int fd, const ElfW(Phdr) * interpreter)
{
	char name[64];
	const ssize_t size = pread(fd, name, sizeof(name) - 1, (off_t)interpreter->p_offset);

	name[size > 0 ? size : 0] = '\0';
	return strstr(name, "/ld-musl-");
}

const char *softhca_not_preloadable(const char *command, bool *starts)
{
	const char *why = NULL;
	int fd = open_command(command);
	ElfW(Phdr) interpreter;
	ElfW(Ehdr) elf;
	struct stat st;

	*starts = true;
	if (fd < 0)
		return NULL; /* execvp() reports it better */
	if (read_header(fd, &elf)) {
		if (!find_segment(fd, &elf, PT_INTERP, NULL, &interpreter)) {
			why = "is statically linked, so it will not see the device";
		} else if (wants_musl(fd, &interpreter)) {
			why = "is linked with musl; the device needs the GNU C library";
			*starts = false;
		} else if (!fstat(fd, &st) && (st.st_mode & (S_ISUID | S_ISGID)) && getuid() != 0) {
			why = "is set-user-id, so the loader ignores the device";
		}
	}
	close(fd);
	return why;
}
