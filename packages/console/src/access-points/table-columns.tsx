import { levelOf } from '@manc/contract/kpis'
import type { TableColumn, TableMetric } from '@manc/contract/table-columns'
import type { FleetTableRow, Health } from '@manc/sdk'
import { Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { HealthIcon, type Trouble, troubles } from '../fleet/health.tsx'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { formatValue } from '../format/number.ts'
import { formatAge, formatDateTime } from '../format/time.ts'

interface Column {
  label: string
  /** Of values in the column. */
  unit?: string
  /** In pixels; the widest column takes what is left. */
  width: number
  isNumber?: boolean
  isText?: boolean
  cell: (row: FleetTableRow, now: number) => ReactNode
  /** In a CSV file. */
  value: (row: FleetTableRow, nowMs: number) => string | number | null
}

const none = (
  <Text span c="dimmed" inherit>
    –
  </Text>
)

const metric = (
  name: TableMetric,
  label: string,
  unit: string,
  more: Pick<Column, 'width'> = { width: 92 },
): Column => ({
  label,
  unit,
  isNumber: true,
  ...more,
  cell: (row) => {
    const value = row[name]
    if (value === null) return none
    const level = levelOf(name, value)
    return level === 'bad' || level === 'degraded' ? (
      <strong className={`level-${level}`}>{formatValue(value)}</strong>
    ) : (
      formatValue(value)
    )
  },
  value: (row) => row[name],
})

const text = (label: string, width: number, value: (row: FleetTableRow) => string | null): Column => ({
  label,
  width,
  isText: true,
  cell: (row) => value(row) ?? none,
  value,
})

export const columns: Record<TableColumn, Column> = {
  health: {
    label: 'Health',
    width: 112,
    cell: ({ health, reason }) => <HealthCell health={health} reason={reason} />,
    value: ({ health }) => health,
  },
  reason: text('Reason', 220, ({ reason }) => reason),
  name: {
    label: 'Name',
    width: 240,
    isText: true,
    cell: (row) => <NameCell row={row} />,
    value: ({ name }) => name,
  },
  ap_id: text('ID', 200, ({ ap_id: apId }) => apId),
  technology: {
    label: 'Technology',
    width: 112,
    cell: ({ technology, state }) => (
      <Group gap={6} wrap="nowrap">
        <TechnologyIcon technology={technology} state={state} />
        <span aria-hidden>{technology}</span>
      </Group>
    ),
    value: ({ technology }) => technology,
  },
  place: {
    label: 'Place',
    width: 160,
    isText: true,
    cell: (row) => placeOf(row) ?? none,
    value: placeOf,
  },
  state: text('State', 84, ({ state }) => state),
  clients: metric('clients', 'Clients', '', { width: 84 }),
  load_pct: metric('load_pct', 'Load', '%', { width: 92 }),
  throughput_mbps: metric('throughput_mbps', 'Throughput', 'Mbit/s', { width: 164 }),
  throughput_down_mbps: metric('throughput_down_mbps', 'Down', 'Mbit/s', { width: 124 }),
  throughput_up_mbps: metric('throughput_up_mbps', 'Up', 'Mbit/s', { width: 108 }),
  packet_loss_pct: metric('packet_loss_pct', 'Loss', '%', { width: 92 }),
  latency_ms: metric('latency_ms', 'Latency', 'ms', { width: 112 }),
  signal_quality: metric('signal_quality', 'Signal', '', { width: 84 }),
  power_w: metric('power_w', 'Power', 'W', { width: 88 }),
  last_seen: {
    label: 'Last seen',
    width: 104,
    cell: ({ state, last_seen: seen }, now) => {
      if (state === 'online') return 'now'
      if (seen === null) return none
      return <span title={formatDateTime(Date.parse(seen))}>{formatAge(now - Date.parse(seen))} ago</span>
    },
    value: ({ state, last_seen: seen }, nowMs) => (state === 'online' ? new Date(nowMs).toISOString() : seen),
  },
  version: text('Version', 96, ({ version }) => version),
}

function placeOf({ place, position }: FleetTableRow): string | null {
  if (place !== null) return place
  return position && `${position.latitude.toFixed(4)}, ${position.longitude.toFixed(4)}`
}

const isTrouble = (health: Health): health is Trouble => (troubles as readonly Health[]).includes(health)

/** By shape and word, not by colour alone. */
export function HealthCell({ health, reason }: { health: Health; reason: string | null }) {
  return (
    <Group gap={6} wrap="nowrap" {...(reason !== null && { title: reason })}>
      {isTrouble(health) && <HealthIcon health={health} />}
      <span>{health}</span>
    </Group>
  )
}

/** The name beside the id. Tab goes from row to row, not to every link. */
function NameCell({ row: { ap_id: apId, name } }: { row: FleetTableRow }) {
  return (
    <>
      <Link to="/access-points/$apId" params={{ apId }} tabIndex={-1} className="table-link">
        {name ?? apId}
      </Link>
      {name !== null && (
        <Text span size="xs" c="dimmed" ml={6}>
          {apId}
        </Text>
      )}
    </>
  )
}
