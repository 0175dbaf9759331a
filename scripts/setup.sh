#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what Millrace needs from Debian's own packages, and nothing else. Silent and quick where nothing is missing.
#   scripts/setup.sh          what every make target needs
#   scripts/setup.sh clang    besides, the second compiler and the fuzzers of `make soak`, and SPIN
#   scripts/setup.sh jax      besides, what a virtual environment of Python takes
#   scripts/setup.sh page     besides, the browser in which `make test-page` opens reports
# Exit 2 where something is missing that it cannot install.
set -euo pipefail

packages=(
  g++ cmake ninja-build make ccache git ca-certificates pkg-config
  libmlir-22-dev mlir-22-tools llvm-22-dev
  libcli11-dev libfmt-dev nlohmann-json3-dev
  libgtest-dev libgmock-dev libbenchmark-dev librapidcheck-dev
  clang-format-14 python3-jsonschema
  libdnnl2
)
tools=(g++ cmake ninja make)
if [[ ${1:-} == clang ]]; then packages+=(clang-22 libclang-rt-22-dev spin); tools+=(clang++-22); fi
if [[ ${1:-} == jax ]]; then packages+=(python3 python3-venv); tools+=(python3); fi
if [[ ${1:-} == page ]]; then packages+=(python3 chromium fonts-dejavu-core); tools+=(python3 chromium); fi

say() { echo "millrace setup: $*" >&2; }

# Another distribution: nothing is installed; go on where the tools are there.
other_distribution() {
  local tool missing=()
  for tool in "${tools[@]}"; do command -v "$tool" >/dev/null || missing+=("$tool"); done
  if ((${#missing[@]})); then
    say "this is ${PRETTY_NAME:-an unknown system}; packages are installed for Debian 12 only," \
      "and here these tools are missing: ${missing[*]}"
    exit 2
  fi
  say "this is ${PRETTY_NAME:-an unknown system}, not Debian 12: nothing is installed," \
    "the tools found are used (LLVM and MLIR 22.1 are needed)"
  exit 0
}

missing_packages() {
  local installed package
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null |
    sed -n 's/^installed //p') || true
  for package in "${packages[@]}"; do
    grep -qxF -- "$package" <<<"$installed" || echo "$package"
  done
}

# Runs a command as root with its output kept back, and shows the output only where the command fails.
as_root() {
  local log status=0
  log=$(mktemp)
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive "$@" >"$log" 2>&1 </dev/null || status=$?
  if ((status)); then tail -n 30 "$log" >&2; fi
  rm -f "$log"
  return "$status"
}

no_llvm() {
  say "Debian's package lists here do not have LLVM 22 (missing: $*)."
  say "It comes with the suite bookworm-security, which seems to be off. Add this line to /etc/apt/sources.list:"
  say "  deb http://security.debian.org/debian-security bookworm-security main"
  exit 2
}

ID='' VERSION_ID='' PRETTY_NAME=''
if [[ -r /etc/os-release ]]; then . /etc/os-release; fi
if [[ $ID != debian || $VERSION_ID != 12 ]] || ! command -v apt-get >/dev/null; then other_distribution; fi

mapfile -t missing < <(missing_packages)
if ((${#missing[@]} == 0)); then exit 0; fi

sudo=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    say "these Debian packages are missing: ${missing[*]}"
    say "neither root nor sudo here; as root, type:"
    say "  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
    exit 2
  fi
  sudo=(sudo)
fi

say "installing from Debian's packages (once; LLVM makes it about a gigabyte on disk): ${missing[*]}"
lock=(-o DPkg::Lock::Timeout=600)
as_root apt-get "${lock[@]}" -q update || { say "apt-get update failed (its last words are above)"; exit 2; }

unknown=()
for package in "${missing[@]}"; do
  [[ -n $(apt-cache madison "$package" 2>/dev/null) ]] || unknown+=("$package")
done
if ((${#unknown[@]})); then
  if [[ ${unknown[*]} == *-22* ]]; then no_llvm "${unknown[@]}"; fi
  say "Debian's package lists here do not have: ${unknown[*]};" \
    "look at /etc/apt/sources.list (the component main of bookworm is needed)"
  exit 2
fi

as_root apt-get "${lock[@]}" -q install -y --no-install-recommends "${missing[@]}" ||
  { say "installing failed (apt's last words are above); the packages were: ${missing[*]}"; exit 2; }
say "installed."
