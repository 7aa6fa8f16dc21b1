import type { Technology } from '@manc/contract'
import { findKpis } from '@manc/contract/kpi-sources'
import { isKpi, kpiNames, kpis } from '@manc/contract/kpis'
import type { Readings } from '../drivers/driver.ts'

/** By the end of a name. */
const units: [string, string][] = [
  ['_dbm', 'dBm'],
  ['_db', 'dB'],
  ['_mbps', 'Mbit/s'],
  ['_pct', '%'],
  ['_ms', 'ms'],
  ['_mhz', 'MHz'],
  ['_mib', 'MiB'],
  ['_pps', 'packets/s'],
  ['_s', 's'],
  ['_w', 'W'],
  ['_c', '°C'],
  ['_lux', 'lx'],
]

/** Lines of a table: metric, value, unit, and the KPI that it feeds with its value there. Texts are attributes. */
export function readingTable(readings: Readings, technology: Technology): string[] {
  const metrics = Object.entries(readings).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  )
  const found = findKpis(
    metrics.map(([name]) => name),
    technology,
    kpiNames,
  )
  const fed = new Map(
    found.map(({ kpi, at, toKpi: { factor, offset } }) => {
      const value = (metrics[at]?.[1] ?? 0) * factor + offset
      return [at, metrics[at]?.[0] === kpi ? kpi : `${kpi} = ${shortened(value)} ${kpis[kpi].unit}`.trimEnd()]
    }),
  )
  const rows = [
    ...metrics.map(([name, value], n) => [printable(name), shortened(value), unitOf(name), fed.get(n) ?? '']),
    ...Object.entries(readings)
      .filter(([, value]) => typeof value === 'string')
      .map(([name, value]) => [name, printable(String(value)).slice(0, 60), '', 'attribute']),
  ]
  return aligned([['METRIC', 'VALUE', 'UNIT', 'KPI'], ...rows])
}

/** Texts of a device must not control the terminal. */
export const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '�')

function unitOf(name: string): string {
  if (isKpi(name)) return kpis[name].unit
  return units.find(([end]) => name.endsWith(end))?.[1] ?? ''
}

const shortened = (value: number) => String(Number.isInteger(value) ? value : Number(value.toPrecision(6)))

function aligned(rows: readonly string[][]): string[] {
  const widths = rows[0]?.map((_, n) => Math.max(...rows.map((row) => row[n]?.length ?? 0))) ?? []
  return rows.map((row) =>
    row
      .map((cell, n) => cell.padEnd(widths[n] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
