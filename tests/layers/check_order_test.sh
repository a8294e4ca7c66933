#!/usr/bin/env bash
# Tests check_order.sh on an artificial tree. The script must report each planted fault, and must accept the tree
# without faults.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
num_failed=0

# Makes a tree in which core/b includes core/a, and variants/c includes core/b.
plant_tree() {
  rm -rf "${tree:?}"/*
  mkdir -p "$tree"/core/{a,b} "$tree"/variants/c
  printf '%s\n' '# core' '| core/z | a table of something else |' '' '## Folders, left to right' '' '| folder | holds |' '|---|---|' \
    '| core | errors |' '| core/a, core/b | two folders |' '| `variants/c` | a third |' '' '## Words' '' '| core/y | no folder |' \
    > "$tree/core/README.md"
  echo '#pragma once' > "$tree/core/error.hpp"
  echo '#include "core/error.hpp"' > "$tree/core/a/a.hpp"
  printf '%s\n' '#include <vector>' '#include "core/a/a.hpp"' '#include "b.hpp"' > "$tree/core/b/b.cpp"
  echo '#include "core/b/b.hpp"' > "$tree/variants/c/c.hpp"
}

check() { "$here/check_order.sh" "$tree" core variants; }

passes() {  # passes DESCRIPTION
  local output
  if ! output=$(check 2>&1); then
    echo "FAILED: $1: found a fault: $output"
    num_failed=$((num_failed + 1))
  fi
}

finds() {  # finds DESCRIPTION LINE: requires exit status 1, and the line in the output
  local output status=0
  output=$(check 2>&1) || status=$?
  if [ "$status" != 1 ] || ! grep -qxF "$2" <<< "$output"; then
    echo "FAILED: $1: expected status 1 and \"$2\", got status $status and: $output"
    num_failed=$((num_failed + 1))
  fi
}

plant_tree
passes "a tree in order"

plant_tree
printf '%s\n' '' '#include "core/b/b.hpp"' '#include "core/b/b2.hpp"' >> "$tree/core/a/a.hpp"
finds "an include that climbs" "core/a/a.hpp:3 includes core/b, which is to the right of core/a (and 1 more)"
finds "a cycle" "cycle: core/a -> core/b -> core/a"

plant_tree
echo '  #  include "../b/b.hpp"' >> "$tree/core/a/a.hpp"
finds "an include that climbs by a relative path" "core/a/a.hpp:2 includes core/b, which is to the right of core/a"

plant_tree
echo '#include <variants/c/c.hpp>' >> "$tree/core/error.hpp"
finds "an include that climbs in angle brackets" "core/error.hpp:2 includes variants/c, which is to the right of core"
finds "a longer cycle" "cycle: core -> variants/c -> core/b -> core/a -> core"

plant_tree
echo '#include "tests/support/digests.hpp"' >> "$tree/core/b/b.cpp"
finds "an include of no folder" "core/b/b.cpp:4 includes tests/support, which is not in the order of core/README.md"

plant_tree
mkdir "$tree/core/d" && touch "$tree/core/d/d.cpp"
finds "a folder that the order lacks" "core/d holds sources and is not in the order of core/README.md"

plant_tree
rm "$tree/variants/c/c.hpp"
finds "a row without sources" "variants/c is in the order of core/README.md and holds no sources"

plant_tree
sed -i 's/^## Folders.*/## Rooms/' "$tree/core/README.md"
finds "no order" "no folders found: 4 with sources, 0 in the order"

[ "$num_failed" = 0 ] || exit 1
echo "all planted faults found"
