#!/bin/sh
# Two access points and two stations on simulated radios. Ends when both stations are connected.
# ap1 is 02:00:00:00:00:00, ap2 …:01:00, sta1 …:02:00 and sta2 …:03:00.
set -e
modprobe mac80211_hwsim radios=4
iw reg set GB
n=0
for name in ap1 ap2 sta1 sta2; do
  /bin/ip link set wlan$n name $name
  n=$((n + 1))
done

/bin/ip link add br0 type bridge
/bin/ip addr add 10.1.0.1/24 dev br0
/bin/ip link set br0 up

# A process of hostapd for each, as on two devices: one does not know what stations do at the other.
access_point() { # NAME CHANNEL
  cat >/run/$1.conf <<END
interface=$1
bridge=br0
driver=nl80211
ctrl_interface=/run/hostapd
ssid=manc-lab
country_code=GB
hw_mode=g
channel=$2
ieee80211n=1
wmm_enabled=1
wpa=2
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
wpa_passphrase=laboratory
ieee80211w=1
bss_transition=1
rrm_neighbor_report=1
rrm_beacon_report=1
END
  hostapd -B -t -P /run/$1.pid -f /run/$1.log /run/$1.conf || {
    cat /run/$1.log
    return 1
  }
}
access_point ap1 1
access_point ap2 11

cat >/run/station.conf <<END
ctrl_interface=/run/wpa
country=GB
network={
  ssid="manc-lab"
  psk="laboratory"
  key_mgmt=WPA-PSK
  ieee80211w=1
  scan_freq=2412 2462
  freq_list=2412 2462
}
END

# A network namespace for each: otherwise packets to the bridge would not go over the air.
station() { # NAME ADDRESS
  /bin/ip netns add $1
  iw phy "$(cat /sys/class/net/$1/phy80211/name)" set netns name $1
  /bin/ip netns exec $1 /bin/ip link set $1 up
  /bin/ip netns exec $1 /bin/ip addr add $2/24 dev $1
  /bin/ip netns exec $1 wpa_supplicant -B -t -D nl80211 -i $1 -c /run/station.conf -f /run/$1.log
  # Some traffic, so that throughput is not 0.
  while :; do
    /bin/ip netns exec $1 ping -q -s 1000 -c 600 10.1.0.1 >/dev/null 2>&1 || true
    sleep 1
  done &
}
station sta1 10.1.0.11
station sta2 10.1.0.12

connected() {
  for name in sta1 sta2; do
    wpa_cli -p /run/wpa -i $name status | grep -q '^wpa_state=COMPLETED' || return 1
  done
}
for attempt in $(seq 300); do
  if connected; then exit 0; fi
  sleep 0.2
done
echo 'The stations are not connected after 60 s.'
tail -n 20 /run/*.log
exit 1
