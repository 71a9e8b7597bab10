#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What `bazel run //tools/softhca:install` installs: programs of the distribution run below it with an empty environment, far from
# Bazel's trees; the job of docs/softhca/github-actions.yml does what it says.
# usage: install.sh INSTALLER CHANGELOG JOB PROGRAM
. "$(dirname "$0")/lib.sh"
installer=$(realpath -s "$1") changelog=$(realpath "$2") job=$(realpath "$3") program=$(realpath "$4")
need ib_write_bw perftest
need ucx_perftest ucx-utils
prefix=$LOGS/prefix
cd / || exit 1

good "installing" "$installer" "$prefix"
expect "installing" "installed $prefix/bin/softhca"
# Nothing of it is a link into Bazel's trees.
good "plain files" test -z "$(find "$prefix" -type l)"
good "a relative prefix" env BUILD_WORKING_DIRECTORY="$LOGS" "$installer" relative
good "a relative prefix" test -x "$LOGS/relative/bin/softhca"
good "no prefix" test "$("$installer" 2>&1)" = "usage: bazel run //tools/softhca:install -- PREFIX"

# From here on with nothing but the installed launcher.
cat >"$LOGS/clean" <<CLEAN
#!/bin/sh
exec env -i PATH=/usr/bin:/bin HOME=/ SOFTHCA_DIR=$SOFTHCA_DIR UCX_NET_DEVICES=mlx5_0:1 UCX_TLS=rc_x,self $prefix/bin/softhca "\$@"
CLEAN
chmod +x "$LOGS/clean"
SOFTHCA=$LOGS/clean
version=$(sed -n 's/^segue (\([0-9.]*\)-.*/\1/p' "$changelog" | head -n 1)
good "--version" "$SOFTHCA" --version
expect "--version" "^softhca $version$"
good "its library" test -z "$(env -i "$SOFTHCA" sh -c 'grep libsofthca /proc/self/maps' | grep -v "$prefix/lib/softhca/libsofthca.so")"
alone "ibv_devinfo" ibv_devinfo
expect "ibv_devinfo" "mlx5_0"
for link in ib roce; do
	gid=()
	[ "$link" = ib ] || gid=(-x 3)
	pair "ib_write_bw $link" --strict --link "$link" ib_write_bw "${gid[@]}" -p "$PORT" -d mlx5_0 -F -n 50 -- \
		--strict --link "$link" ib_write_bw "${gid[@]}" -p "$PORT" -d mlx5_0 -F -n 50 127.0.0.1
	pair "ucx_perftest $link" --link "$link" ucx_perftest -p "$PORT" -- \
		--link "$link" ucx_perftest -p "$PORT" 127.0.0.1 -t tag_lat -n 50 -w 5 -s 1000
done

# The job, step by step, in a checkout of somebody's program. What it gets from elsewhere is here already.
mkdir -p "$LOGS/bin" "$LOGS/checkout" "$LOGS/segue/tools/lib"
printf '#!/bin/sh\nexit 0\n' >"$LOGS/bin/apt-get"
printf '#!/bin/sh\ncp -r "%s" "$5"\n' "$LOGS/segue" >"$LOGS/bin/git"
printf '#!/bin/sh\n[ "$*" = "run //tools/softhca:install -- /usr/local" ] && RUNFILES_DIR="%s" exec "%s" "%s"\n' "${RUNFILES_DIR:-$TEST_SRCDIR}" "$installer" "$LOGS/usr-local" >"$LOGS/bin/bazel"
printf 'BUILD_PACKAGES=(gcc)\ninstall_missing() { :; }\n' >"$LOGS/segue/tools/lib/packages.sh"
chmod +x "$LOGS/bin"/*
cp "$program" "$LOGS/checkout/my_rdma_test.c"
/usr/bin/python3 - "$job" >"$LOGS/job.sh" <<'PYTHON'
import sys
import yaml

for step in yaml.safe_load(open(sys.argv[1]))["jobs"]["rdma"]["steps"]:
    if "run" in step:
        assert step["shell"] == "bash"
        print(step["run"])
PYTHON
cd "$LOGS/checkout" || exit 1
good "the job" env -i PATH="$LOGS/bin:$LOGS/usr-local/bin:/usr/bin:/bin" SEGUE=somewhere SOFTHCA_DIR="$SOFTHCA_DIR" \
	bash --noprofile --norc -eo pipefail "$LOGS/job.sh"
expect "the job" "every byte is right"
cd / && finish
