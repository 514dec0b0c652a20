#!/bin/bash
# What another processor can break, on a host of arm64: the image is its own, a call is
# denied by its own number, code that is planted does not run, and each runtime tells
# every status by its name.
set -euo pipefail

[ "$(uname -m)" = aarch64 ] || { echo "this host is $(uname -m)" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

runner doctor
runner image ls | grep -q ' arm64 '

# Emulated processors are slow: only what is tried ends a run.
mkdir -p /etc/hotcell/policies
for policy in study-analysis containment-probe; do
	runner policy show "$policy" |
		sed -e "s/^name: .*/name: slow-$policy/" -e 's/wall_clock: *[0-9a-z]*/wall_clock: 300s/' -e 's/cpu_time: *[0-9a-z]*/cpu_time: 280s/' \
			>"/etc/hotcell/policies/slow-$policy.yaml"
done

# expect RUNTIME POLICY STATUS TEXT FLAG...: runs the script on standard input.
expect() {
	local runtime=$1 policy=$2 status=$3 text=$4
	shift 4
	runner run --json --engine oci --runtime "$runtime" --policy "slow-$policy" "$@" - >answer || true
	if ! grep -Eq "\"status\": *\"$status\"" answer || ! grep -Fq -- "$text" answer; then
		echo "$runtime: not $status with $text:" >&2
		cat answer >&2
		exit 1
	fi
	echo "$runtime: $status ($text)"
}

for runtime in crun runc; do
	expect "$runtime" study-analysis succeeded 'the mean is 42.0' <<<'
import pandas, numpy
print("the mean is", pandas.Series(numpy.array([40.0, 44.0])).mean())'
	expect "$runtime" study-analysis rejected socket <<<'import socket'
	expect "$runtime" study-analysis timed_out wall_clock --timeout 20s <<<'
import time
time.sleep(600)'
	expect "$runtime" containment-probe succeeded aarch64 --allow-unguarded <<<'import platform; print(platform.machine())'
	expect "$runtime" containment-probe out_of_memory memory --allow-unguarded <<<'x = [bytearray(1 << 20) for _ in range(1000)]'
	expect "$runtime" containment-probe limit_exceeded pids --allow-unguarded <<<'
import threading
stop = threading.Event()
for _ in range(64):
    threading.Thread(target=stop.wait, daemon=True).start()'
	expect "$runtime" containment-probe limit_exceeded output_bytes --allow-unguarded <<<'
for n in range(40):
    (OUTPUT / f"{n}.txt").write_bytes(b"x" * (1 << 20))'
	# 97 is unshare, which stage 1 kills; 117 is ptrace. On x86_64 these are others.
	expect "$runtime" containment-probe killed unshare --allow-unguarded <<<'
import ctypes
ctypes.CDLL(None).syscall(97, 0x10000000)'
	expect "$runtime" containment-probe killed ptrace --allow-unguarded <<<'
import ctypes
ctypes.CDLL(None).syscall(117, 0, 0, 0, 0)'
	# socket, clone as fork(2) makes it, and mprotect to executable memory.
	expect "$runtime" containment-probe succeeded 'denied [1, 1, 1]' --allow-unguarded <<<'
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
denied = []
for call in ((198, 2, 1, 0), (220, 17, 0, 0, 0, 0), (226, 0, 4096, 4)):
    libc.syscall(*call)
    denied.append(ctypes.get_errno())
print("denied", denied)'
done
