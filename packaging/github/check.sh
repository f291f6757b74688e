#!/usr/bin/env bash
# The second step of action.yml: TRTCHECK_* are its inputs. Lists hold one entry per line.
set -euo pipefail

: "${GITHUB_OUTPUT:?is set by GitHub Actions}" "${GITHUB_STEP_SUMMARY:?is set by GitHub Actions}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Appends the lines of $1 that hold anything to the array `words`.
add_lines() {
  local line
  while IFS= read -r line; do
    line="${line%$'\r'}"
    [[ -z "${line//[[:space:]]/}" ]] || words+=("$line")
  done <<<"$1"
}

words=(check)
[[ -z "${TRTCHECK_TARGET:-}" ]] || words+=("--target=$TRTCHECK_TARGET")
[[ -z "${TRTCHECK_PRECISION:-}" ]] || words+=("--precision=$TRTCHECK_PRECISION")
[[ -z "${TRTCHECK_FAIL_ON:-}" ]] || words+=("--fail-on=$TRTCHECK_FAIL_ON")
[[ -z "${TRTCHECK_BASELINE:-}" ]] || words+=("--baseline=$TRTCHECK_BASELINE")

# The first format goes to the log, where GitHub reads annotations from.
if [[ "${TRTCHECK_ANNOTATIONS:-true}" == true ]]; then
  words+=(--output-format github)
else
  words+=(--output-format full)
fi
words+=(--output-format markdown --output "$work/summary.md" --output-format json --output "$work/report.json")
sarif="${TRTCHECK_SARIF_FILE:-}"
[[ -z "$sarif" ]] || words+=(--output-format sarif --output "$sarif")

add_lines "${TRTCHECK_ARGS:-}"
options=("${words[@]}")
words=()
add_lines "${TRTCHECK_PATHS:-.}"
# A path is no option.
paths=("${words[@]/#-/./-}")

code=0
trtcheck "${options[@]}" "${paths[@]}" || code=$?

[[ ! -s "$work/summary.md" ]] || cat "$work/summary.md" >>"$GITHUB_STEP_SUMMARY"
# Code scanning closes what it does not find again, so that only the result of a whole run may get there.
[[ -n "$sarif" && -s "$sarif" && "$code" -le 1 ]] || sarif=""
{
  echo "exit-code=$code"
  # Line breaks would start another output.
  echo "sarif-file=${sarif//[$'\r\n']/}"
  if [[ -s "$work/report.json" ]]; then
    python3 - "$work/report.json" <<'PYTHON'
import json
import sys

def count(findings, severity):
    return sum((f["severity"] == severity) + count(f["consequences"], severity) for f in findings)


with open(sys.argv[1], encoding="utf-8") as file:
    models = json.load(file)["models"]
for severity in ("error", "warning"):
    print(f"{severity}s={sum(count(model['findings'], severity) for model in models)}")
PYTHON
  fi
} >>"$GITHUB_OUTPUT"
exit "$code"
