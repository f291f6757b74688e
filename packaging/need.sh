#!/bin/sh
# need.sh PACKAGE...: Debian packages that have to be there; installs them when it may, else lists what is missing.
set -eu
if ! command -v dpkg-query >/dev/null; then
  echo "not a Debian system: please have what these Debian packages hold: $*" >&2
  exit 0
fi
missing=""
for package in "$@"; do
  case "$(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null)" in
    installed) ;;
    *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  echo "installing system packages:$missing"
  apt-get update -q
  # shellcheck disable=SC2086  # one word per package
  DEBIAN_FRONTEND=noninteractive apt-get install -q --yes --no-install-recommends $missing
else
  echo "missing system packages, please run: sudo apt-get install$missing" >&2
  exit 1
fi
