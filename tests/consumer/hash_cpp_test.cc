#include "hash_test.c"
