/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sandbox COMMAND...: runs it with no_new_privs and a seccomp filter like those of container
 * engines: calls that look into processes, change name spaces or mounts, or reach far into the
 * kernel fail with EPERM.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REFUSE(call)                                     \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

int main(int argc, char **argv)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		REFUSE(SYS_process_vm_readv),
		REFUSE(SYS_process_vm_writev),
		REFUSE(SYS_ptrace),
		REFUSE(SYS_kcmp),
		REFUSE(SYS_userfaultfd),
		REFUSE(SYS_perf_event_open),
		REFUSE(SYS_bpf),
		REFUSE(SYS_keyctl),
		REFUSE(SYS_add_key),
		REFUSE(SYS_mount),
		REFUSE(SYS_umount2),
		REFUSE(SYS_unshare),
		REFUSE(SYS_setns),
		REFUSE(SYS_pidfd_getfd),
		REFUSE(SYS_personality),
		REFUSE(SYS_move_pages),
		REFUSE(SYS_mbind),
		REFUSE(SYS_io_uring_setup),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		.len = sizeof(filter) / sizeof(filter[0]),
		.filter = filter,
	};

	if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		perror("sandbox");
		return 1;
	}
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 1;
}
