#!/usr/bin/env bash
# Executes every notebook from top to bottom, and checks that every notebook is committed without outputs. The last line
# is "N passed, N failed". Exits with 77 (skipped) if the Python packages are missing.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
python=/usr/bin/python3

for module in nbconvert ipykernel pandas matplotlib; do
  if ! "$python" -c "import $module" >/dev/null 2>&1; then
    echo "skipped: $python has no $module"
    exit 77
  fi
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/support/check.sh
source "$root/tests/support/check.sh"

no_outputs() {
  "$python" - "$1" <<'EOF'
import json, sys
for cell in json.load(open(sys.argv[1]))["cells"]:
    if cell.get("outputs") or cell.get("execution_count") is not None:
        sys.exit(f"a cell of {sys.argv[1]} has outputs: strip them before committing")
EOF
}

execute() {
  MPLCONFIGDIR="$work/matplotlib" IPYTHONDIR="$work/ipython" "$python" -m nbconvert --to notebook --execute \
    --ExecutePreprocessor.timeout=120 --output-dir "$work" "$1"
}

for notebook in "$root"/notebooks/*.ipynb; do
  name=$(basename "$notebook")
  check "$name is committed without outputs" no_outputs "$notebook"
  check "$name runs from top to bottom" execute "$notebook"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
