#include "segue/segue.hpp"

#include "hash_test.c"
