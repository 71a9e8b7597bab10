#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# device_test.sh SEGUE DECODER...: segue decode --device finds the decoders beside it, and they read what providers wrote.
set -u
segue=$PWD/$1
failed=0
# shows STATUS PATTERN DUMP OPTION...
shows() {
    local expected=$1 pattern=$2 dump=$3 got status
    shift 3
    got=$("$segue" decode "$@" - <<<"$dump" 2>&1)
    status=$?
    if [ $status != "$expected" ] || ! grep -qe "$pattern" <<<"$got"; then
        echo "decode $*: exit status $status, expected $expected, and in its output '$pattern':"
        echo "$got"
        failed=1
    fi
}
zeros() { printf '%0*d' $((2 * $1)) 0; }
send=0201000000000000$(zeros 56)
shows 0 'send_imm on rc' "$(printf '8201000000000000'; zeros 56)" --device hns
shows 0 'owner *1' "$(printf '8201000000000000'; zeros 56)" --device=hns --queue rc
shows 1 'sqe.msg_len: found 0x1' "$(printf '8201000001000000'; zeros 56)" --device hns --queue rc
shows 0 'resp_cqe' "$(printf 'c1000000'; zeros 28)" --device hns --cqe
shows 0 'flush on io' "$(printf '0000050001000000'; zeros 56)" --device nvme --queue io
shows 0 'delete_sq on admin' "$(printf '0000050000000000'; zeros 56)" --device nvme --queue admin
shows 0 'send on rc' "$(printf '000000000000000020000010'; zeros 52)" --device ionic --queue rc
shows 0 'send_msn_cqe' "$(zeros 31; printf 41)" --device ionic --cqe
shows 0 '"send"' "$(printf '00010200'; zeros 28)" --device bnxt_re --json
shows 2 "there is no queue 'uc'; expected rc" "$send" --device hns --queue uc
shows 2 "there is no .*segue-decode-none" "$send" --device none
shows 0 'Usage: segue decode --device NAME' "" --device efa --help
exit $failed
