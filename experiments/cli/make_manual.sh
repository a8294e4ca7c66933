#!/usr/bin/env bash
# make_manual.sh HELP2MAN PROGRAM FOLDER: replaces FOLDER by a folder with one manual page per command of bloometry. The
# pages, such as bloometry.1 and bloometry-sweep-run.1, are made from the output of --help. The command
# `man bloometry sweep run` shows bloometry-sweep-run.1.
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

# make_page SUMMARY WORD...: makes the page of a command, followed by the pages of its subcommands.
make_page() {
  local summary=$1 words name page help command rest
  shift
  words=$*
  name=${words// /-}
  page=$folder.part/$name.1
  help=$("$@" --help)
  # Without the first two edits, the title of every page would contain only the first word. Without the third edit, man
  # would join the lines of the examples to paragraphs.
  "$help2man" --no-info --name="$summary" --version-string="$version" "$words" |
    sed -e "s/^\\.TH BLOOMETRY /.TH ${name^^} /" -e "s/^$words \\\\- /$name \\\\- /" \
      -e '/^\.SH EXAMPLES/,/^\.PP/{s/^\.SH.*/&\n.nf/;s/^\.PP/.fi\n&/;/^\.[IH]P$/d}' >"$page"
  while read -r command rest; do
    make_page "$rest" "$@" "$command"
  done < <(sed -n '/^Subcommands:/,/^$/{/^  [a-z]/p}' <<<"$help")
}
make_page "Bloom filters, measured against exact theory" bloometry
rm -rf "$folder"
mv "$folder.part" "$folder"
