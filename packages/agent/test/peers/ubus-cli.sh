#!/bin/sh
# A test peer: the program `ubus` of OpenWrt with two BSSs of hostapd, and the line breaks of its output. See README.md.
[ "$1" = -t ] && shift 2
client() {
  printf '\t\t"%s": {\n\t\t\t"auth": true,\n\t\t\t"assoc": %s,\n\t\t\t"authorized": true,\n' "$1" "$2"
  printf '\t\t\t"aid": 1,\n\t\t\t"bytes": {\n\t\t\t\t"rx": 1000,\n\t\t\t\t"tx": 2000\n\t\t\t},\n'
  printf '\t\t\t"rate": {\n\t\t\t\t"rx": 866700,\n\t\t\t\t"tx": 433300\n\t\t\t},\n\t\t\t"signal": %s\n\t\t}%s\n' "$3" "$4"
}
case "$*" in
  'list hostapd.*') printf 'hostapd.phy0-ap0\nhostapd.phy1-ap0\n' ;;
  'call hostapd.phy0-ap0 get_clients')
    printf '{\n\t"freq": 2412,\n\t"clients": {\n'
    client 02:00:00:00:aa:01 true -50 ,
    client 02:00:00:00:aa:02 false -90 ,
    client 02:00:00:00:aa:03 true -60 ''
    printf '\t}\n}\n'
    ;;
  'call hostapd.phy1-ap0 get_clients')
    printf '{\n\t"freq": 5180,\n\t"clients": {\n'
    client 02:00:00:00:aa:04 true -70 ''
    printf '\t}\n}\n'
    ;;
  *get_status)
    printf '{\n\t"status": "ENABLED",\n\t"bssid": "02:00:00:00:00:00",\n\t"ssid": "office",\n\t"freq": 2412,\n\t"channel": 1,\n'
    printf '\t"airtime": {\n\t\t"time": 100000,\n\t\t"time_busy": 40000,\n\t\t"utilization": 102\n\t}\n}\n'
    ;;
  'call iwinfo info '*)
    printf '{\n\t"phy": "phy0",\n\t"ssid": "office",\n\t"channel": 1,\n\t"signal": -50,\n\t"noise": -95\n}\n'
    ;;
  *) exit 4 ;;
esac
