#!/bin/sh
# keep.sh PROGRAM PACKAGE...: in a build stage, deletes everything that PROGRAM does not use at run time.
set -eu
program=$1
for folder in packages/*; do
  case " $* " in
    *" ${folder#packages/} "*) ;;
    *) rm -rf "$folder" ;;
  esac
done
rm -rf packages/*/test node_modules/@types node_modules/.bin package-lock.json keep.sh
# Builds for browsers.
rm -rf node_modules/mqtt/dist node_modules/yaml/browser
# Documentation, tests and TypeScript sources of dependencies. Licenses stay.
find node_modules -type f \( -name '*.ts' -o -iname '*.md' ! -iname '*licen[cs]e*' \) -delete
find node_modules -regextype posix-extended -type d \
  -regex 'node_modules/(@[^/]+/)?[^@/][^/]*/(test|tests|docs|examples|benchmarks?)' -prune -exec rm -rf {} +
find node_modules packages -type f \
  \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.test.ts' \) -delete
# Links to packages that are gone.
find -L node_modules/@manc -type l -delete
mkdir bin
ln -s "../packages/$program/src/main.ts" "bin/manc-$program"
chmod 755 "packages/$program/src/main.ts"
