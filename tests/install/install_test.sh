#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs a build into a fresh folder, moves that folder, and builds and runs two foreign projects against it: one with
# find_package, one with pkg-config. Neither has a path to Millrace's sources or to LLVM.
#   install_test.sh CMAKE BUILD_FOLDER COMPILER plain|sanitize
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cmake=$1 build=$2 compiler=$3 kind=$4

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "install test: $*" >&2; exit 1; }
flags=()
# A program that loads a sanitized library must be sanitized itself.
[[ $kind == plain ]] || flags=(-fsanitize=address,undefined -fno-sanitize=vptr)

"$cmake" --install "$build" --prefix "$scratch/first" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "installing"; }
mv "$scratch/first" "$scratch/prefix"
prefix=$scratch/prefix

for file in bin/millrace lib/libmillrace.so lib/libmillrace_c.so include/millrace/array.h lib/pkgconfig/millrace.pc \
  lib/cmake/millrace/millraceConfig.cmake lib/cmake/millrace/millraceConfigVersion.cmake; do
  [[ -e $prefix/$file ]] || fail "$file was not installed"
done
"$prefix/bin/millrace" --version >/dev/null || fail "the installed program does not run"

# No file names the folder it was built in, and nothing but Millrace's own names is shown.
! grep -rlF -e "$build" -e "$scratch/first" "$prefix/lib/cmake" "$prefix/lib/pkgconfig" "$prefix/include" ||
  fail "the files above name the build folder"
strange=$(nm -D --defined-only "$prefix/lib/libmillrace.so" | awk '{print $3}' |
  grep -vE '^_Z(N[KOR]*|T[ISV]N)8millrace|^millrace_' || true)
[[ -z $strange ]] || fail "libmillrace.so shows names that are not its own: $(head -n 5 <<<"$strange" | c++filt)"
# The library for other languages goes where nobody has an LLVM, or has another.
c_library=$prefix/lib/libmillrace_c.so
strange=$(nm -D --defined-only "$c_library" | awk '{print $3}' | grep -v '^millrace_' || true)
[[ -z $strange ]] || fail "libmillrace_c.so shows names that are not its own: $(head -n 5 <<<"$strange" | c++filt)"
if [[ $kind == plain ]]; then
  needed=$(objdump -p "$c_library" | awk '/NEEDED/ {print $2}' | grep -vE '^(libc|libm|ld-linux.*)\.so' || true)
  [[ -z $needed ]] || fail "libmillrace_c.so needs $needed"
  (($(stat -c %s "$c_library") < 60000000)) || fail "libmillrace_c.so is larger than 60 MB"
fi

try() {
  local what=$1
  shift
  "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "$what"; }
}
try "configuring the find_package project" "$cmake" -S "$here/cmake_user" -B "$scratch/cmake_user" \
  -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="${flags[*]}"
try "building the find_package project" "$cmake" --build "$scratch/cmake_user"
try "running the find_package project" "$scratch/cmake_user/user"

# Each public header stands on its own, and warns nobody.
header() {
  echo "#include \"millrace/$1\"" |
    "$2" -std=c++20 -fsyntax-only -Wall -Wextra -Werror -I"$3/include" -x c++ -
}
export -f header
if [[ $kind == plain ]]; then
  (cd "$prefix/include/millrace" && printf '%s\0' *.h) |
    xargs -0 -P 2 -I{} bash -c 'header "$@" || { echo "in millrace/$1"; exit 1; }' - {} "$compiler" "$prefix" >&2 ||
    fail "a public header does not stand on its own"
fi

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
pkg-config --exact-version=0.1.0 millrace || fail "pkg-config does not find millrace 0.1.0"
read -ra parts <<<"$(pkg-config --cflags --libs millrace)"
try "building with pkg-config" "$compiler" -std=c++20 "${flags[@]}" "$here/user.cpp" -o "$scratch/user" "${parts[@]}"
try "running what pkg-config built" env LD_LIBRARY_PATH="$prefix/lib" "$scratch/user"
echo "install test: installed, moved, found by CMake and by pkg-config, built against and run"
