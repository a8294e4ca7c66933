#!/usr/bin/env bash
# make_manual.sh HELP2MAN PROGRAM FOLDER: replaces FOLDER by a folder with one manual page for each command of
# bloometry, made from its --help: bloometry.1, bloometry-sweep.1, bloometry-sweep-run.1. `man bloometry sweep run`
# finds the last one.
set -euo pipefail
usage="usage: make_manual.sh HELP2MAN PROGRAM FOLDER"
help2man=${1:?$usage}
program=$(realpath "${2:?$usage}")
folder=${3:?$usage}

version=$("$program" --version)
rm -rf "$folder.part"
mkdir -p "$folder.part"
# help2man runs its argument in a shell, so the name must not contain spaces.
PATH=$(dirname "$program"):$PATH

# make_page SUMMARY WORD...: makes the page of a command, then those of its subcommands.
make_page() {
  local summary=$1 words name page help command rest
  shift
  words=$*
  name=${words// /-}
  page=$folder.part/$name.1
  help=$("$@" --help)
  # Without the first two edits, the title of every page would contain only the first word. Without the third, the
  # examples would be filled as paragraphs.
  "$help2man" --no-info --name="$summary" --version-string="$version" "$words" |
    sed -e "s/^\\.TH BLOOMETRY /.TH ${name^^} /" -e "s/^$words \\\\- /$name \\\\- /" \
      -e '/^\.SH EXAMPLES/,/^\.PP/{s/^\.SH.*/&\n.nf/;s/^\.PP/.fi\n&/;/^\.[IH]P$/d}' >"$page"
  while read -r command rest; do
    make_page "$rest" "$@" "$command"
  done < <(sed -n '/^Subcommands:/,/^$/{/^  /p}' <<<"$help")
}
make_page "Bloom filters, measured against exact theory" bloometry
rm -rf "$folder"
mv "$folder.part" "$folder"
