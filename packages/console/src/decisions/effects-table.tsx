import './decisions.css'
import { kpis } from '@manc/contract/kpis'
import type { Decision } from '@manc/sdk'
import { Anchor, Group, Table, Text } from '@mantine/core'
import { IconAlertTriangle, IconArrowNarrowRight, IconCheck, IconMinus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { formatWithUnit } from '../format/number.ts'
import { formatAge } from '../format/time.ts'
import { type Direction, type Effect, effectsOf } from './effects.ts'

const icons: Record<Direction, typeof IconMinus> = {
  better: IconCheck,
  worse: IconAlertTriangle,
  unchanged: IconMinus,
}

interface EffectsTableProps {
  decision: Decision
  nowMs: number
}

/** Expected and measured effect side by side. */
export function EffectsTable({ decision, nowMs }: EffectsTableProps) {
  return (
    <Table className="effects" verticalSpacing={6} aria-label="Expected and measured effect">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>KPI</Table.Th>
          <Table.Th>Expected</Table.Th>
          <Table.Th>Measured</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {effectsOf(decision).map((effect) => (
          <Table.Tr key={`${effect.apId} ${effect.kpi}`}>
            <Table.Td>
              <Text size="sm" component="span">
                {kpis[effect.kpi].label}
              </Text>{' '}
              <Anchor
                size="xs"
                style={{ overflowWrap: 'anywhere' }}
                renderRoot={(props) => (
                  <Link to="/access-points/$apId" params={{ apId: effect.apId }} {...props} />
                )}
              >
                {effect.apId}
              </Anchor>
            </Table.Td>
            <Table.Td data-title="Expected">
              <Change kpi={effect.kpi} from={effect.expected.from} to={effect.expected.to} />
            </Table.Td>
            <Table.Td data-title="Measured">
              {effect.measured ? (
                <Group gap="sm">
                  <Change kpi={effect.kpi} from={effect.measured.before} to={effect.measured.after} />
                  <Judgement effect={effect} />
                </Group>
              ) : (
                <Text size="sm" c="dimmed">
                  {waitingText(decision, nowMs)}
                </Text>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Change({ kpi, from, to }: { kpi: Effect['kpi']; from: number | null; to: number | null }) {
  const { unit } = kpis[kpi]
  return (
    <Group gap={4} wrap="nowrap" className="figures">
      <Text size="sm" component="span">
        {formatWithUnit(from ?? undefined, unit)}
      </Text>
      <IconArrowNarrowRight size={14} role="img" aria-label="to" />
      <Text size="sm" component="span" fw={500}>
        {formatWithUnit(to ?? undefined, unit)}
      </Text>
    </Group>
  )
}

function Judgement({ effect: { direction, achievedPct } }: { effect: Effect }) {
  if (!direction) return null
  const Icon = icons[direction]
  return (
    <Group gap={4} wrap="nowrap" className={direction === 'worse' ? 'health-degraded' : undefined}>
      <Icon size={14} aria-hidden />
      <Text size="xs" component="span">
        {direction}
        {achievedPct !== undefined && `, ${achievedPct} % of the expected change`}
      </Text>
    </Group>
  )
}

function waitingText({ state, measure_at: at }: Decision, nowMs: number): string {
  if (at === null) return state === 'proposed' ? 'After its confirmation' : 'Not measured'
  const leftMs = Date.parse(at) - nowMs
  return leftMs > 0 ? `In ${formatAge(leftMs)}` : 'In a moment'
}
