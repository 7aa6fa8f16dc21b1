#!/bin/sh
# A test peer: the functions of rc.common, uci and procd of OpenWrt that the init script uses. See README.md. The options of the only
# section are in the environment, as UCI_<name>; what procd would start is printed.
config_load() { :; }
config_foreach() { "$1" main; }
config_get() { eval "$1=\${UCI_$3:-${4:-}}"; }
config_get_bool() { eval "$1=\${UCI_$3:-$4}"; }
logger() { :; }
procd_open_instance() { :; }
procd_close_instance() { :; }
procd_set_param() {
  name=$1 && shift
  for value in "$@"; do echo "$name: $value"; done
}
procd_append_param() { procd_set_param "$@"; }
. "$INIT"
# Without an address it fails.
start_service || :
