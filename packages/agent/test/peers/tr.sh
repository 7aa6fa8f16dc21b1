#!/bin/sh
# A test peer: `tr` of OpenWrt, which has no character classes. There, [:lower:] would be these characters; here it is an error.
case "$*" in *'[:'*) echo "tr: no character classes: $*" >&2 && exit 1 ;; esac
PATH=/usr/bin:/bin && exec tr "$@"
