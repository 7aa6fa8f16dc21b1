#!/bin/sh
# A test peer: the program `ubus` of OpenWrt with three BSSs of hostapd on two radios, and the line breaks of its output. See README.md.
# A BSS that is named in UBUS_SILENT does not list its clients in time.
[ "$1" = -t ] && shift 2
client() {
  printf '\t\t"%s": {\n\t\t\t"auth": true,\n\t\t\t"assoc": %s,\n\t\t\t"authorized": true,\n' "$1" "$2"
  printf '\t\t\t"aid": 1,\n\t\t\t"bytes": {\n\t\t\t\t"rx": 1000,\n\t\t\t\t"tx": 2000\n\t\t\t},\n'
  printf '\t\t\t"rate": {\n\t\t\t\t"rx": 866700,\n\t\t\t\t"tx": 433300\n\t\t\t},\n\t\t\t"signal": %s\n\t\t}%s\n' "$3" "$4"
}
status() {
  printf '{\n\t"status": "ENABLED",\n\t"bssid": "02:00:00:00:00:00",\n\t"ssid": "office",\n\t"freq": %s,\n\t"channel": %s,\n' "$1" "$2"
  printf '\t"airtime": {\n\t\t"time": 100000,\n\t\t"time_busy": 40000,\n\t\t"utilization": %s\n\t}\n}\n' "$3"
}
case "$*" in
  'list hostapd.*') printf 'hostapd.phy0-ap0\nhostapd.phy0-ap1\nhostapd.phy1-ap0\n' ;;
  "call hostapd.${UBUS_SILENT:-} get_clients") exit 7 ;;
  'call hostapd.phy0-ap0 get_clients')
    printf '{\n\t"freq": 2412,\n\t"clients": {\n'
    client 02:00:00:00:aa:01 true -50 ,
    client 02:00:00:00:aa:02 false -90 ,
    client 02:00:00:00:aa:03 true -60 ''
    printf '\t}\n}\n'
    ;;
  'call hostapd.phy0-ap1 get_clients') printf '{\n\t"freq": 2412,\n\t"clients": {\n\t\t\n\t}\n}\n' ;;
  'call hostapd.phy1-ap0 get_clients')
    printf '{\n\t"freq": 5180,\n\t"clients": {\n'
    client 02:00:00:00:aa:04 true -70 ''
    printf '\t}\n}\n'
    ;;
  'call hostapd.phy0-ap'?' get_status') status 2412 1 102 ;;
  'call hostapd.phy1-ap0 get_status') status 5180 36 51 ;;
  'call iwinfo info '*)
    printf '{\n\t"phy": "phy0",\n\t"ssid": "office",\n\t"channel": 1,\n\t"signal": -50,\n\t"noise": -95\n}\n'
    ;;
  *) exit 4 ;;
esac
