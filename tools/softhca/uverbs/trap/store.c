/* SPDX-License-Identifier: BSD-2-Clause */
/* Decodes the instruction that stored to a doorbell page: its value, and its end. */
#include "tools/softhca/uverbs/trap/store.h"

#include <string.h>
#include <ucontext.h>

#if defined(__x86_64__)

/* Intel's manual, volume 2: 2.1 (format of an instruction), 2.2.1 (REX), and the pages of MOV,
 * MOVNTI, MOVUPS and so on. */
enum { REX_B = 1, REX_X = 2, REX_R = 4, REX_W = 8, REX = 0x40 };

enum source {
	SOURCE_REGISTER,  /* 4 bytes, or 8 with REX.W */
	SOURCE_IMMEDIATE, /* the same, sign-extended from 4 bytes */
	SOURCE_XMM,	  /* 16 bytes */
	SOURCE_XMM_WORD,  /* 4 bytes, or 8 with REX.W */
	SOURCE_XMM_LOW,	  /* 8 bytes */
	SOURCE_XMM_HIGH,
};

#define PREFIX_66 1u
#define PREFIX_F3 2u
#define NONE	  0u

static const struct form {
	uint8_t escape, opcode; /* escape: 0x0f, or 0 for none */
	uint8_t prefixes;
	uint8_t source;
} forms[] = {
	{0, 0x89, NONE, SOURCE_REGISTER},	   /* mov */
	{0, 0xc7, NONE, SOURCE_IMMEDIATE},	   /* mov */
	{0x0f, 0xc3, NONE, SOURCE_REGISTER},	   /* movnti */
	{0x0f, 0x11, NONE, SOURCE_XMM},		   /* movups */
	{0x0f, 0x11, PREFIX_66, SOURCE_XMM},	   /* movupd */
	{0x0f, 0x29, NONE, SOURCE_XMM},		   /* movaps */
	{0x0f, 0x29, PREFIX_66, SOURCE_XMM},	   /* movapd */
	{0x0f, 0x2b, NONE, SOURCE_XMM},		   /* movntps */
	{0x0f, 0x2b, PREFIX_66, SOURCE_XMM},	   /* movntpd */
	{0x0f, 0x7f, PREFIX_66, SOURCE_XMM},	   /* movdqa */
	{0x0f, 0x7f, PREFIX_F3, SOURCE_XMM},	   /* movdqu */
	{0x0f, 0xe7, PREFIX_66, SOURCE_XMM},	   /* movntdq */
	{0x0f, 0x7e, PREFIX_66, SOURCE_XMM_WORD},  /* movd, movq */
	{0x0f, 0xd6, PREFIX_66, SOURCE_XMM_LOW},   /* movq */
	{0x0f, 0x13, NONE, SOURCE_XMM_LOW},	   /* movlps */
	{0x0f, 0x13, PREFIX_66, SOURCE_XMM_LOW},   /* movlpd */
	{0x0f, 0x17, NONE, SOURCE_XMM_HIGH},	   /* movhps */
	{0x0f, 0x17, PREFIX_66, SOURCE_XMM_HIGH},  /* movhpd */
};

static const struct form *find_form(uint8_t escape, uint8_t opcode, uint8_t prefixes)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (forms[i].escape == escape && forms[i].opcode == opcode &&
		    forms[i].prefixes == prefixes)
			return &forms[i];
	return NULL;
}

/* A general register by its number in instructions. */
static uint64_t general(const ucontext_t *uc, unsigned int number)
{
	static const uint8_t place[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
					REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
					REG_R12, REG_R13, REG_R14, REG_R15};

	return (uint64_t)uc->uc_mcontext.gregs[place[number]];
}

static int32_t read_32(const uint8_t **p)
{
	int32_t value;

	memcpy(&value, *p, sizeof(value));
	*p += sizeof(value);
	return value;
}

/* Address of the operand in memory, for ModRM byte `modrm`. `*p` moves to the immediate, if any. */
static uint64_t address(const ucontext_t *uc, uint8_t rex, uint8_t modrm, const uint8_t **p,
			size_t immediate)
{
	const unsigned int mod = modrm >> 6;
	unsigned int base = modrm & 7;
	bool relative = false, nowhere = false;
	uint64_t sum = 0;

	if (base == 4) {
		const uint8_t sib = *(*p)++;
		const unsigned int index = (sib >> 3 & 7) | (rex & REX_X ? 8 : 0);

		base = sib & 7;
		nowhere = base == 5 && mod == 0;
		if (index != 4) /* the stack pointer is not an index */
			sum = general(uc, index) << (sib >> 6);
	} else {
		relative = base == 5 && mod == 0;
	}
	if (mod == 1)
		sum += (uint64_t)(int8_t) * (*p)++;
	else if (mod == 2 || relative || nowhere)
		sum += (uint64_t)(int64_t)read_32(p);
	if (relative)
		return sum + (uint64_t)(uintptr_t)*p + immediate;
	return nowhere ? sum : sum + general(uc, base | (rex & REX_B ? 8 : 0));
}

static bool read_xmm(const ucontext_t *uc, unsigned int number, size_t skip, struct uv_store *s)
{
	const struct _libc_fpstate *const fp = uc->uc_mcontext.fpregs;

	if (!fp)
		return false;
	memcpy(s->bytes, (const uint8_t *)&fp->_xmm[number] + skip, s->size);
	return true;
}

/* Reads the stored value and its size. `number` is the register. */
static bool read_source(const ucontext_t *uc, enum source source, unsigned int number,
			int32_t immediate, struct uv_store *s)
{
	uint64_t value;

	switch (source) {
	case SOURCE_REGISTER:
	case SOURCE_IMMEDIATE:
		value = source == SOURCE_REGISTER ? general(uc, number)
						  : (uint64_t)(int64_t)immediate;
		memcpy(s->bytes, &value, s->size);
		return true;
	case SOURCE_XMM:
		s->size = 16;
		return read_xmm(uc, number, 0, s);
	case SOURCE_XMM_WORD:
		return read_xmm(uc, number, 0, s);
	case SOURCE_XMM_LOW:
	case SOURCE_XMM_HIGH:
		s->size = 8;
		return read_xmm(uc, number, source == SOURCE_XMM_HIGH ? 8 : 0, s);
	}
	return false;
}

bool uv_store_read(const void *context, struct uv_store *s)
{
	const ucontext_t *const uc = context;
	const uint8_t *const start = (const uint8_t *)(uintptr_t)uc->uc_mcontext.gregs[REG_RIP],
			     *p = start;
	const struct form *form;
	uint8_t prefixes = NONE, rex = 0, escape = 0, opcode, modrm;
	int32_t immediate = 0;
	bool has_immediate;

	if (*p == 0x66 || *p == 0xf3)
		prefixes = *p++ == 0x66 ? PREFIX_66 : PREFIX_F3;
	if ((*p & 0xf0) == REX)
		rex = *p++;
	if (*p == 0x0f)
		escape = *p++;
	opcode = *p++;
	form = find_form(escape, opcode, prefixes);
	if (!form)
		return false;
	modrm = *p++;
	has_immediate = form->source == SOURCE_IMMEDIATE;
	if (modrm >> 6 == 3 || (has_immediate && modrm >> 3 & 7))
		return false; /* a register, or another instruction */
	s->addr = (uintptr_t)address(uc, rex, modrm, &p, has_immediate ? sizeof(immediate) : 0);
	if (has_immediate)
		immediate = read_32(&p);
	s->length = (size_t)(p - start);
	s->size = rex & REX_W ? 8 : 4;
	return read_source(uc, form->source, (modrm >> 3 & 7) | (rex & REX_R ? 8 : 0), immediate,
			   s);
}

#else

bool uv_store_read(const void *context, struct uv_store *s)
{
	(void)context;
	(void)s;
	return false;
}

#endif
