#!/usr/bin/env bash
# Prints which folders include which other folders, one line per pair: "FROM TO NUMBER FIRST", where NUMBER is the
# number of includes and FIRST is the position of the first include. The script considers folders that directly contain
# sources.
#
# usage: folder_graph.sh [--folders] ROOT FOLDER...   considers the sources below ROOT/FOLDER...
# --folders   prints all folders with sources instead
#
# For example, from the project's root: tests/layers/folder_graph.sh . core variants | column -t
set -euo pipefail

only_folders=false
if [ "${1-}" = --folders ]; then
  only_folders=true
  shift
fi
if [ $# -lt 2 ]; then
  echo "usage: ${0##*/} [--folders] ROOT FOLDER..." >&2
  exit 2
fi
cd "$1"
shift
sources() { find "$@" -type f \( -name '*.hpp' -o -name '*.cpp' -o -name '*.h' -o -name '*.inc' \) | LC_ALL=C sort; }

if $only_folders; then
  sources "$@" | sed 's|/[^/]*$||' | LC_ALL=C sort -u
  exit
fi
sources "$@" | tr '\n' '\0' | xargs -0 -r awk '
  function folder_of(path) { return path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) : "." }
  # Paths relative to the including file are converted to paths that start at the root.
  function from_root(path) {
    if (path ~ /^(core|variants|experiments|tests)\//) return path
    path = folder_of(FILENAME) "/" path
    while (sub(/[^\/]+\/\.\.\//, "", path) || sub(/\/\.\//, "/", path)) continue
    return path
  }
  /^[ \t]*#[ \t]*include[ \t]*("|<(core|variants|experiments|tests)\/)/ {
    split($0, part, /["<>]/)
    from = folder_of(FILENAME)
    to = folder_of(from_root(part[2]))
    if (from == to) next
    edge = from " " to
    if (!number[edge]++) first[edge] = FILENAME ":" FNR
  }
  END { for (edge in number) print edge, number[edge], first[edge] }' | LC_ALL=C sort
