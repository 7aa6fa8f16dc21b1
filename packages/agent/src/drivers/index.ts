import { amarisoft } from './amarisoft.ts'
import type { DriverKind } from './driver.ts'
import { hostapd } from './hostapd/hostapd.ts'
import { linux } from './linux/linux.ts'
import { prometheus } from './prometheus/prometheus.ts'
import { shell } from './shell.ts'
import { snmp } from './snmp/snmp.ts'
import { srsran } from './srsran.ts'
import { ucentral } from './ucentral/ucentral.ts'

const kinds: readonly DriverKind[] = [linux, prometheus, snmp, hostapd, ucentral, srsran, amarisoft, shell]

/** By the name in `device.driver` of the settings. */
export const driverKinds: ReadonlyMap<string, DriverKind> = new Map(kinds.map((kind) => [kind.name, kind]))
