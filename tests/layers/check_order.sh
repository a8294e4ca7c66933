#!/usr/bin/env bash
# Checks that folders depend only on folders to their left, in the order of core/README.md ("Folders, left to right").
# Prints each fault: a cycle of folders, an include of a folder to the right, a folder missing from the order, or a row
# of the order without sources.
#
# usage: check_order.sh [--links FILE] ROOT FOLDER...   checks the sources below ROOT/FOLDER...
# --links FILE   also finds links to the right, and includes of folders that are not linked
#
# FILE has one line "NAME NAME..." per CMake target, in the order of creation. The first name is a folder, or
# FOLDER_theory for the second target of a folder. The other names are the folders that the target links to.
#
# The exit status is 1 if there is a fault.
set -euo pipefail

links=/dev/null
if [ "${1-}" = --links ]; then
  links=$2
  shift 2
fi
if [ $# -lt 2 ]; then
  echo "usage: ${0##*/} [--links FILE] ROOT FOLDER..." >&2
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
  sed 's/^/target /' "$links"
} | awk -v roots="${*:2}" '
  function fault(text) { print text; ++num_faults }
  function is_checked(folder, i) {
    for (i in root) if (folder == root[i] || index(folder, root[i] "/") == 1) return 1
    return 0
  }
  # A folder may have two targets.
  function folder_of_target(name) {
    if (!(name in place)) sub(/_theory$/, "", name)
    return name
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
  function reach(from, to, i, n, next_of) {
    if ((from, to) in reached) return
    reached[from, to] = 1
    n = split(linked[to], next_of)
    for (i = 1; i <= n; ++i) reach(from, next_of[i])
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
  $1 == "target" {
    has_targets = 1
    folder = folder_of_target($2)
    has_target[folder] = 1
    if (place[folder] < last) fault("target " $2 " is made after one to its right: the order of core/README.md is another")
    last = place[folder]
    for (i = 3; i <= NF; ++i) {
      left = folder_of_target($i)
      linked[folder] = linked[folder] " " left
      if (place[left] > place[folder]) fault("target " $2 " links to " $i ", which is to the right of " folder)
    }
  }
  END {
    for (folder in place) {
      if (is_checked(folder) && !(folder in has_sources)) fault(folder " is in the order of core/README.md and holds no sources")
    }
    for (i = 1; i <= num_includes; ++i) walk(from[i], "")
    if (has_targets) {
      for (folder in has_sources) {
        if (!(folder in has_target)) fault(folder " has no target")
        reach(folder, folder)
      }
      for (i = 1; i <= num_includes; ++i) {
        if (from[i] in has_target && !((from[i], to[i]) in reached)) fault(from[i] " includes " to[i] " and does not link to it")
      }
    }
    if (num_folders == 0 || num_places == 0) fault("no folders found: " num_folders + 0 " with sources, " num_places + 0 " in the order")
    if (num_faults > 0) exit 1
    print num_folders " folders, " num_includes " pairs of which one includes the other, none against the order"
  }'
