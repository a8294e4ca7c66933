#!/usr/bin/env bash
# Checks that folders depend only on folders to their left, in the order of core/README.md ("Folders, left to right").
# Prints each fault: a cycle of folders, an include of a folder to the right, a folder missing from the order, or a row
# of the order without sources.
#
# usage: check_order.sh ROOT FOLDER...   checks the sources below ROOT/FOLDER...
#
# The exit status is 1 if there is a fault.
set -euo pipefail

if [ $# -lt 2 ]; then
  echo "usage: ${0##*/} ROOT FOLDER..." >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
readme=$1/core/README.md

# Prints rows "| folder, folder | ..." of the table, one folder per line.
order() {
  awk '/^## / { inside = /^## Folders, left to right/ }
       inside && /^\| *`?[a-z]+(\/[a-z0-9_]+)*[`, ]/ {
         split($0, cell, "|")
         gsub(/[` ]/, "", cell[2])
         gsub(/,/, "\n", cell[2])
         if (cell[2] != "folder") print cell[2]
       }' "$readme"
}

{
  order | sed 's/^/order /'
  "$here/folder_graph.sh" --folders "$@" | sed 's/^/folder /'
  "$here/folder_graph.sh" "$@" | sed 's/^/include /'
} | awk -v roots="${*:2}" '
  function fault(text) { print text; ++num_faults }
  function is_checked(folder, i) {
    for (i in root) if (folder == root[i] || index(folder, root[i] "/") == 1) return 1
    return 0
  }
  # Visits all folders that a folder includes directly or indirectly. Reports a cycle if the walk returns to the folder.
  function walk(folder, way, i, n, next_of) {
    if (state[folder] == "done") return
    if (state[folder] == "on the way") {
      fault("cycle: " substr(way, index(way, folder " -> ")) folder)
      return
    }
    state[folder] = "on the way"
    n = split(included[folder], next_of)
    for (i = 1; i <= n; ++i) walk(next_of[i], way folder " -> ")
    state[folder] = "done"
  }
  BEGIN { split(roots, root) }
  $1 == "order" {
    if ($2 in place) fault($2 " is twice in the order of core/README.md")
    place[$2] = ++num_places
  }
  $1 == "folder" {
    has_sources[$2] = 1
    ++num_folders
    if (!($2 in place)) fault($2 " holds sources and is not in the order of core/README.md")
  }
  $1 == "include" {
    from[++num_includes] = $2
    to[num_includes] = $3
    included[$2] = included[$2] " " $3
    if ($2 in place && !($3 in place)) fault($5 " includes " $3 ", which is not in the order of core/README.md")
    if ($2 in place && $3 in place && place[$3] > place[$2]) {
      fault($5 " includes " $3 ", which is to the right of " $2 ($4 > 1 ? " (and " $4 - 1 " more)" : ""))
    }
  }
  END {
    for (folder in place) {
      if (is_checked(folder) && !(folder in has_sources)) fault(folder " is in the order of core/README.md and holds no sources")
    }
    for (i = 1; i <= num_includes; ++i) walk(from[i], "")
    if (num_folders == 0 || num_places == 0) fault("no folders found: " num_folders + 0 " with sources, " num_places + 0 " in the order")
    if (num_faults > 0) exit 1
    print num_folders " folders, " num_includes " pairs of which one includes the other, none against the order"
  }'
