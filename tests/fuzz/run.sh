#!/bin/sh
# run.sh SECONDS BUILD_FOLDER FUZZER...: side by side, each on one processor. What makes one fail is kept in
# BUILD_FOLDER/found, its last words are printed.
set -u
seconds=$1
build=$2
shift 2
mkdir -p "$build/found"
pids=""
for fuzzer in "$@"; do
  mkdir -p "$build/corpus/$fuzzer"
  echo "$fuzzer: $seconds s, log in $build/$fuzzer.log"
  "$build/tests/fuzz/$fuzzer" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="$build/found/$fuzzer-" "$build/corpus/$fuzzer" \
    /usr/share/libonnx-testdata/data/simple /usr/share/libonnx-testdata/data/node >"$build/$fuzzer.log" 2>&1 &
  pids="$pids $fuzzer:$!"
done
failed=0
for one in $pids; do
  if wait "${one#*:}"; then
    echo "${one%:*}: nothing found; $(grep 'stat::number_of_executed_units' "$build/${one%:*}.log")"
  else
    failed=1
    echo "${one%:*}: failed"
    tail -n 40 "$build/${one%:*}.log"
  fi
done
exit $failed
