/* SPDX-License-Identifier: BSD-2-Clause */
/* Every rank sends each rank lists of its own, short and long; every word is looked at. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned int word(int from, int to, int i)
{
	return (unsigned int)(from * 1000003 + to * 10007 + i * 7);
}

static int exchange(int rank, int size, int count)
{
	unsigned int *const out = malloc((size_t)size * (size_t)count * sizeof(*out));
	unsigned int *const in = malloc((size_t)size * (size_t)count * sizeof(*in));
	int wrong = 0;

	if (!out || !in)
		abort();
	for (int to = 0; to < size; to++)
		for (int i = 0; i < count; i++)
			out[to * count + i] = word(rank, to, i);
	MPI_Alltoall(out, count, MPI_UNSIGNED, in, count, MPI_UNSIGNED, MPI_COMM_WORLD);
	for (int from = 0; from < size; from++)
		for (int i = 0; i < count; i++)
			wrong += in[from * count + i] != word(from, rank, i);
	free(in);
	free(out);
	return wrong;
}

int main(int argc, char **argv)
{
	int rank, size, wrong = 0, all = 1;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int round = 0; round < 5; round++)
		for (int count = 1; count <= 1 << 16; count *= 16)
			wrong += exchange(rank, size, count);
	MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (!rank)
		printf("%d ranks, %d wrong words\n", size, all);
	MPI_Finalize();
	return all != 0;
}
