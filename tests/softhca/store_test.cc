// SPDX-License-Identifier: BSD-2-Clause
// Stores that are read from the program's code where they fault: what the processor does with the
// same instruction is right.
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstdint>
#include <cstring>
#include <functional>

#include <gtest/gtest.h>

extern "C" {
#include "tools/softhca/uverbs/trap/store.h"
}

#if defined(__x86_64__)

namespace {

constexpr size_t kPage = 4096;
uint8_t *closed, *open;	 // a page that faults, and one that does not
uint8_t copy[kPage];	 // what was stored to the first
size_t known, unknown;	 // faults there

void OnFault(int, siginfo_t *info, void *context)
{
	ucontext_t *uc = static_cast<ucontext_t *>(context);
	uint8_t *const at = static_cast<uint8_t *>(info->si_addr);
	uv_store s;

	if (uv_store_read(context, &s) && s.addr == reinterpret_cast<uintptr_t>(at)) {
		memcpy(copy + (at - closed), s.bytes, s.size);
		uc->uc_mcontext.gregs[REG_RIP] += static_cast<greg_t>(s.length);
		known++;
		return;
	}
	unknown++;
	mprotect(closed, kPage, PROT_READ | PROT_WRITE);
}

class Stores : public ::testing::Test {
    protected:
	void SetUp() override
	{
		struct sigaction act = {};

		closed = Page(PROT_READ);
		open = Page(PROT_READ | PROT_WRITE);
		memset(copy, 0, sizeof(copy));
		known = unknown = 0;
		act.sa_sigaction = OnFault;
		act.sa_flags = SA_SIGINFO;
		ASSERT_EQ(sigaction(SIGSEGV, &act, &before_), 0);
	}
	void TearDown() override
	{
		sigaction(SIGSEGV, &before_, nullptr);
		munmap(closed, kPage);
		munmap(open, kPage);
	}
	static uint8_t *Page(int prot)
	{
		return static_cast<uint8_t *>(
			mmap(nullptr, kPage, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	}
	struct sigaction before_;
};

// Base and index are where the instruction wants them; what it stores are these.
const uint64_t kWord = 0x8877665544332211;
alignas(16) const uint64_t kWords[2] = {0x0123456789abcdef, 0xfedcba9876543210};

// CASE: one instruction, with its address made of a base, an index or both.
#define CASE(text)                                                                               \
	{                                                                                        \
		text, [](uint8_t *base, uint64_t index) {                                        \
			asm volatile("movdqa %[words], %%xmm3\n\tmovdqa %[words], %%xmm12\n\t"   \
				     "mov %[word], %%rdx\n\tmov %[word], %%r9\n\t"               \
				     "mov %[base], %%rdi\n\tmov %[base], %%r13\n\tmov %[base], " \
				     "%%r12\n\t"                                                 \
				     "mov %[index], %%rcx\n\tmov %[index], %%r14\n\t" text       \
				     :                                                           \
				     : [words] "m"(kWords), [word] "r"(kWord), [base] "r"(base), \
				       [index] "r"(index)                                        \
				     : "rdx", "r9", "rdi", "r13", "r12", "rcx", "r14", "xmm3",   \
				       "xmm12", "memory");                                       \
		}                                                                                \
	}

struct Case {
	const char *text;
	void (*run)(uint8_t *base, uint64_t index);
};

// 0x800 and 0x20: what stands in doorbell pages; the base is 0x100 behind its page's start, the
// index 0x40.
const Case kKnown[] = {
	CASE("mov %%rdx, (%%rdi)"),
	CASE("mov %%edx, (%%rdi)"),
	CASE("mov %%r9, 0x20(%%r13)"),
	CASE("mov %%r9d, 0x20(%%r13)"),
	CASE("mov %%rdx, (%%r13)"),
	CASE("mov %%rdx, (%%r12)"),
	CASE("mov %%rdx, 0x800(%%r12)"),
	CASE("mov %%rdx, -0x80(%%rdi)"),
	CASE("mov %%rdx, (%%rdi,%%rcx,1)"),
	CASE("mov %%r9, (%%rdi,%%r14,8)"),
	CASE("mov %%r9, 0x800(%%r13,%%r14,4)"),
	CASE("mov %%r9, -0x40(%%r13,%%rcx,2)"),
	CASE("movq $0x12345678, 0x800(%%rdi)"),
	CASE("movq $-2, 0x800(%%rdi,%%rcx,1)"),
	CASE("movl $-3, (%%r12)"),
	CASE("movnti %%rdx, 0x800(%%rdi)"),
	CASE("movnti %%r9d, 0x800(%%rdi)"),
	CASE("movups %%xmm3, 0x800(%%rdi)"),
	CASE("movups %%xmm12, 8(%%r13)"),
	CASE("movupd %%xmm12, 0x10(%%r13,%%r14,1)"),
	CASE("movaps %%xmm3, (%%r12)"),
	CASE("movapd %%xmm12, 0x10(%%rdi)"),
	CASE("movntps %%xmm3, 0x800(%%rdi)"),
	CASE("movntpd %%xmm3, 0x810(%%rdi)"),
	CASE("movdqa %%xmm3, 0x800(%%rdi)"),
	CASE("movdqu %%xmm12, 0x808(%%rdi)"),
	CASE("movntdq %%xmm3, 0x800(%%rdi)"),
	CASE("movd %%xmm3, 0x800(%%rdi)"),
	CASE("movd %%xmm12, 0x800(%%r13)"),
	CASE("movq %%xmm3, 0x800(%%rdi)"),
	// movq %xmm3, 0x800(%rdi), in its other form
	CASE(".byte 0x66, 0x48, 0x0f, 0x7e, 0x9f, 0, 8, 0, 0"),
	CASE("movlps %%xmm3, 0x800(%%rdi)"),
	CASE("movhps %%xmm12, 0x800(%%rdi)"),
	CASE("movlpd %%xmm12, 0x800(%%rdi)"),
	CASE("movhpd %%xmm3, 0x800(%%rdi)"),
};

// Not read, but stepped: what changes registers or flags, other widths, other encodings.
const Case kUnknown[] = {
	CASE("movb %%dl, 0x800(%%rdi)"),
	CASE("movw %%dx, 0x800(%%rdi)"),
	CASE("xchg %%rdx, 0x800(%%rdi)"),
	CASE("lock orq %%rdx, 0x800(%%rdi)"),
	CASE("addq $5, 0x800(%%rdi)"),
	CASE("mov %%rcx, %%rax\n\tmov $4, %%ecx\n\trep stosq\n\tmov %%rax, %%rcx"),
	CASE("gs mov %%rdx, 0x800(%%rdi)"),
	CASE("movss %%xmm3, 0x800(%%rdi)"),
	CASE("push %%rdx\n\tpopq 0x800(%%rdi)"),
};

TEST_F(Stores, AreWhatTheProcessorDoes)
{
	for (const Case &c : kKnown) {
		SCOPED_TRACE(c.text);
		memset(open, 0, kPage);
		memset(copy, 0, kPage);
		known = 0;
		c.run(open + 0x100, 0x40);
		c.run(closed + 0x100, 0x40);
		EXPECT_EQ(known, 1u);
		EXPECT_EQ(memcmp(open, copy, kPage), 0);
	}
	EXPECT_EQ(unknown, 0u);
}

TEST_F(Stores, OfOtherKindsAreLeftAlone)
{
	for (const Case &c : kUnknown) {
		SCOPED_TRACE(c.text);
		memset(open, 0, kPage);
		unknown = 0;
		c.run(open + 0x100, 0x40);
		c.run(closed + 0x100, 0x40);
		EXPECT_EQ(unknown, 1u);
		EXPECT_EQ(memcmp(open, closed, kPage), 0);
		memset(closed, 0, kPage);
		mprotect(closed, kPage, PROT_READ);
	}
	EXPECT_EQ(known, 0u);
}

// Relative to the instruction: the immediate operand stands between.
alignas(kPage) uint8_t near_page[kPage];

TEST_F(Stores, RelativeToTheInstruction)
{
	munmap(closed, kPage);
	closed = near_page;
	ASSERT_EQ(mprotect(near_page, kPage, PROT_READ), 0);
	asm volatile("movq $0x1234567, %0\n\tmovl %k2, %1"
		     : "=m"(near_page[0x800]), "=m"(near_page[0x810])
		     : "r"(kWord));
	EXPECT_EQ(known, 2u);
	EXPECT_EQ(*reinterpret_cast<uint64_t *>(copy + 0x800), 0x1234567u);
	EXPECT_EQ(*reinterpret_cast<uint32_t *>(copy + 0x810), static_cast<uint32_t>(kWord));
	ASSERT_EQ(mprotect(near_page, kPage, PROT_READ | PROT_WRITE), 0);
	closed = Page(PROT_READ);
}

}  // namespace

#endif
