/* SPDX-License-Identifier: BSD-2-Clause */
/* The secret of a TCP world: where it is found, and the proofs that are made with it. */
#define _GNU_SOURCE
#include "runtime/peers/world/token.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "segue/base.h"

#define PATH_SIZE 512

/*
 * Functions of libcrypto, as in its manual pages HMAC(3) and EVP_sha256(3). They are found at run
 * time, because only programs with a TCP world need them.
 */
typedef unsigned char *hmac_function(const void *md, const void *key, int key_size,
				     const unsigned char *data, size_t size, unsigned char *out,
				     unsigned int *out_size);
typedef const void *sha256_function(void);

static struct {
	pthread_once_t once;
	hmac_function *hmac;
	sha256_function *sha256;
} crypto = {.once = PTHREAD_ONCE_INIT};

static void find_crypto(void)
{
	static const char *const names[] = {"libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.so"};
	void *library = NULL;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]) && !library; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return;
	*(void **)&crypto.hmac = dlsym(library, "HMAC");
	*(void **)&crypto.sha256 = dlsym(library, "EVP_sha256");
}

int seguei_proof_make(const char *token, const uint8_t *said, size_t size,
		      uint8_t proof[SEGUEI_PROOF_SIZE])
{
	unsigned int length = 0;

	(void)pthread_once(&crypto.once, find_crypto);
	if (crypto.hmac && crypto.sha256 &&
	    crypto.hmac(crypto.sha256(), token, (int)strlen(token), said, size, proof, &length) &&
	    length == SEGUEI_PROOF_SIZE)
		return 0;
	return seguei_fail(
		ENOTSUP,
		"There is no libcrypto.so.3 (nor 1.1) with HMAC-SHA-256, by which processes prove "
		"that they know the "
		"token; install OpenSSL's libcrypto (Debian: libssl3), or start with PMIx.");
}

bool seguei_proof_same(const uint8_t *a, const uint8_t *b, size_t size)
{
	uint8_t difference = 0;
	size_t i;

	for (i = 0; i < size; i++)
		difference |= a[i] ^ b[i];
	return !difference;
}

int seguei_nonce_draw(uint8_t nonce[SEGUEI_NONCE_SIZE])
{
	if (getrandom(nonce, SEGUEI_NONCE_SIZE, 0) == SEGUEI_NONCE_SIZE)
		return 0;
	return seguei_fail(EIO, "The kernel has no random bytes: %s.", strerror(errno));
}

static int keep(const char *from, const char *token, char out[SEGUEI_TOKEN_MAX + 1])
{
	if (!token[0] || strlen(token) > SEGUEI_TOKEN_MAX)
		return seguei_fail(EINVAL,
				   "World: the token (%s) has %zu characters, expected 1 to %d.",
				   from, strlen(token), SEGUEI_TOKEN_MAX);
	(void)snprintf(out, SEGUEI_TOKEN_MAX + 1, "%s", token);
	return 0;
}

/* Refuses a file that other users may read. */
static int check_file(const char *path, int fd)
{
	struct stat file;

	if (fstat(fd, &file))
		return seguei_fail(errno, "World: the token's file %s: %s.", path, strerror(errno));
	if (!S_ISREG(file.st_mode) || file.st_uid != geteuid() ||
	    file.st_mode & (S_IRWXG | S_IRWXO))
		return seguei_fail(EACCES,
				   "World: the token's file %s has mode 0%o and user %u; expected "
				   "a file of user %u with mode 0600.",
				   path, (unsigned int)file.st_mode & 07777,
				   (unsigned int)file.st_uid, (unsigned int)geteuid());
	return 0;
}

/* Reads the first line. */
static int read_file(const char *path, char out[SEGUEI_TOKEN_MAX + 1])
{
	char text[SEGUEI_TOKEN_MAX + 2];
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	ssize_t got;
	int ret;

	if (fd < 0)
		return seguei_fail(errno, "World: the token's file %s: %s.", path, strerror(errno));
	ret = check_file(path, fd);
	got = ret ? 0 : read(fd, text, sizeof(text) - 1);
	if (got < 0)
		ret = seguei_fail(errno, "World: the token's file %s: %s.", path, strerror(errno));
	close(fd);
	if (ret)
		return ret;
	text[got] = 0;
	text[strcspn(text, "\r\n")] = 0;
	return keep(path, text, out);
}

/*
 * Written whole under another name first, so that no process reads a part of it. If two processes
 * do so, the second one finds the first one's file.
 */
static int make_file(const char *path)
{
	static const char digits[] = "0123456789abcdef";
	char draft[PATH_SIZE + 32], text[2 * SEGUEI_NONCE_SIZE + 1];
	uint8_t random[SEGUEI_NONCE_SIZE];
	int fd, ret = seguei_nonce_draw(random);
	size_t i;

	for (i = 0; i < sizeof(random); i++) {
		text[2 * i] = digits[random[i] >> 4];
		text[2 * i + 1] = digits[random[i] & 15];
	}
	text[2 * sizeof(random)] = '\n';
	if (ret)
		return ret;
	(void)snprintf(draft, sizeof(draft), "%s.XXXXXX", path);
	fd = mkostemp(draft, O_CLOEXEC); /* with mode 0600 */
	if (fd < 0)
		return -errno;
	if (write(fd, text, sizeof(text)) != (ssize_t)sizeof(text) || fsync(fd))
		ret = -EIO;
	close(fd);
	if (!ret && link(draft, path) && errno != EEXIST)
		ret = -errno;
	(void)unlink(draft);
	return ret;
}

static const char *home(char *buffer, size_t size)
{
	const char *named = getenv("HOME");
	struct passwd user, *found = NULL;

	if (named && named[0] == '/')
		return named;
	return !getpwuid_r(geteuid(), &user, buffer, size, &found) && found ? found->pw_dir : NULL;
}

static int find_in_home(char out[SEGUEI_TOKEN_MAX + 1])
{
	char buffer[1024], folder[PATH_SIZE - 16], path[PATH_SIZE];
	const char *at = home(buffer, sizeof(buffer));
	int ret;

	if (!at || (size_t)snprintf(folder, sizeof(folder), "%s/.segue", at) >= sizeof(folder))
		return seguei_fail(EINVAL, "World: no token is given, and the user has no home for "
					   "one; set SEGUE_TOKEN to the same secret in all ranks.");
	(void)snprintf(path, sizeof(path), "%s/token", folder);
	if (!access(path, F_OK))
		return read_file(path, out);
	if (mkdir(folder, 0700) && errno != EEXIST)
		ret = -errno;
	else
		ret = make_file(path);
	if (ret)
		return seguei_fail(-ret,
				   "World: no token is given, and none can be made in %s: %s; set "
				   "SEGUE_TOKEN to the same secret in all ranks.",
				   path, strerror(-ret));
	return read_file(path, out);
}

int seguei_token_find(const char *given, char out[SEGUEI_TOKEN_MAX + 1])
{
	const char *variable = getenv("SEGUE_TOKEN"), *file = getenv("SEGUE_TOKEN_FILE");

	if (given && given[0])
		return keep("of the program", given, out);
	if (variable && variable[0])
		return keep("SEGUE_TOKEN", variable, out);
	if (file && file[0])
		return read_file(file, out);
	return find_in_home(out);
}
