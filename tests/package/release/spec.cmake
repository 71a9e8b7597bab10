# SPDX-License-Identifier: BSD-2-Clause
# A request of one's own beside those of mlx5, with an installed Segue and CMake.
cmake_minimum_required(VERSION 3.16)
project(hash C)
find_package(Segue 0.1 CONFIG REQUIRED)

file(GLOB specs hash*.yaml accel*.yaml)
segue_spec_library(segue_accel ${specs} ${EXTRA})
add_executable(hash_test hash_test.c)
target_link_libraries(hash_test PRIVATE segue_accel)
