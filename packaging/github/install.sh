#!/usr/bin/env bash
# The first step of action.yml. TRTCHECK_INSTALL: empty, "none", or what pip is to install.
set -euo pipefail

case "${TRTCHECK_INSTALL:-}" in
  none)
    command -v trtcheck >/dev/null || {
      echo "::error title=trtcheck::install is none, and there is no trtcheck on PATH"
      exit 2
    }
    ;;
  # --verbose: it compiles for minutes, which the log is to show.
  "") python3 -m pip install --verbose -- "$GITHUB_ACTION_PATH" ;;
  *) python3 -m pip install -- "$TRTCHECK_INSTALL" ;;
esac
trtcheck --version
