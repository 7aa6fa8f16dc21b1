import { Group, Stack, Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { type ReactNode, useSyncExternalStore } from 'react'
import { formatNumber, formatValue } from '../format/number.ts'
import { formatElapsed, formatRecentTime, utcOffset } from '../format/time.ts'
import type { ChartGroup } from '../telemetry/chart-group.ts'
import type { Metric } from '../telemetry/metrics.ts'
import type { Line } from '../telemetry/plot-options.ts'
import { indexAt } from '../telemetry/points.ts'
import { bestOf, type Subject } from './compare-lines.ts'
import type { SubjectValues } from './use-comparison.ts'

interface CompareTableProps {
  /** Heading of the first column: `Access point`. */
  heading: string
  subjects: readonly Subject[]
  values: readonly (SubjectValues | undefined)[]
  lines: readonly Line[]
  metrics: readonly Metric[]
  steps: readonly number[]
  /** The drawn values of a metric, by line and step. */
  drawnOf: (metric: string) => readonly (readonly (number | null)[])[]
  /** What the values are: `Mean over the last hour`. */
  caption: string
  isElapsed: boolean
  age: ReactNode
  group: ChartGroup
  hidden: readonly string[]
  onToggle: (key: string) => void
  onHighlight: (index: number | undefined) => void
}

/** The legend with the figures of each line, or its values at the cursor. The best value of each column is bold. */
export function CompareTable(props: CompareTableProps) {
  const { heading, subjects, values, lines, metrics, steps, drawnOf, caption, isElapsed, age } = props
  const { group, hidden, onToggle, onHighlight } = props
  const cursorMs = useSyncExternalStore(group.subscribe, group.moment)
  const index = cursorMs === undefined ? undefined : Math.max(0, indexAt(steps, cursorMs + 1) - 1)
  const columns = metrics.map((metric) => {
    const drawn = drawnOf(metric.name)
    const shown = values.map((each, n) =>
      index === undefined
        ? each?.byMetric.get(metric.name)?.figures?.centre
        : (drawn[n]?.[index] ?? undefined),
    )
    const candidates = shown.map((value, n) => ({
      // Values that are displayed the same count as equal.
      value: value === undefined ? undefined : Number(value.toFixed(2)),
      hasClients: hasClients(values[n]),
    }))
    return { metric, shown, best: bestOf(metric.name, candidates) }
  })
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="sm">
        <Text size="xs" c="dimmed" className="figures" id="compared">
          {cursorMs === undefined
            ? `${caption}, best in bold. Hover over a chart to read the values at one time.`
            : `At ${isElapsed ? formatElapsed(cursorMs) : `${formatRecentTime(cursorMs)} ${utcOffset(cursorMs)}`}, best in bold.`}
        </Text>
        {age}
      </Group>
      <Table.ScrollContainer
        minWidth={metrics.length === 1 ? 280 : 900}
        scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      >
        <Table verticalSpacing={4} highlightOnHover aria-label="Comparison" aria-describedby="compared">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{heading}</Table.Th>
              {metrics.map(({ name, label, unit }) => (
                <Table.Th key={name} ta="right">
                  {unit ? `${label} (${unit})` : label}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {subjects.map(({ key, label, technology }, n) => (
              <Table.Tr
                key={key}
                onMouseEnter={() => onHighlight(n)}
                onMouseLeave={() => onHighlight(undefined)}
              >
                <Table.Td>
                  <UnstyledButton
                    className="legend"
                    aria-pressed={!hidden.includes(key)}
                    onClick={() => onToggle(key)}
                    onFocus={() => onHighlight(n)}
                    onBlur={() => onHighlight(undefined)}
                  >
                    <LineSample line={lines[n]} isHidden={hidden.includes(key)} />
                    <Text size="sm" span td={hidden.includes(key) ? 'line-through' : undefined}>
                      {label}
                      <VisuallyHidden>, {technology}</VisuallyHidden>
                    </Text>
                  </UnstyledButton>
                  <AgentsText values={values[n]} />
                </Table.Td>
                {columns.map(({ metric: { name }, shown, best }) => (
                  <Table.Td key={name} ta="right" className="figures">
                    <Text size="sm" span fw={best === n ? 700 : 400}>
                      {shown[n] === undefined ? '–' : formatValue(shown[n])}
                      {best === n && <VisuallyHidden>, best</VisuallyHidden>}
                    </Text>
                    <Spread values={values[n]} metric={name} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  )
}

/** Whether any client was connected in the period. Unknown counts as connected. */
function hasClients(values: SubjectValues | undefined): boolean {
  const clients = values?.byMetric.get('clients')?.figures
  return !clients || clients.highest > 0
}

/** `30–60, p95 71` */
function Spread({ values, metric }: { values: SubjectValues | undefined; metric: string }) {
  const figures = values?.byMetric.get(metric)?.figures
  if (!figures) return null
  const { p10, p90, p95 } = figures
  return (
    <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
      {formatValue(p10)}–{formatValue(p90)}, p95 {formatValue(p95)}
    </Text>
  )
}

/** How many access points a technology or a group has, and of how many the values are. */
function AgentsText({ values }: { values: SubjectValues | undefined }) {
  const agents = values?.agents
  if (!agents) return null
  const { total, read } = agents
  return (
    <Text size="xs" c="dimmed" className="figures">
      {read < total
        ? `${formatNumber(read)} of ${formatNumber(total)} access points`
        : total === 1
          ? '1 access point'
          : `${formatNumber(total)} access points`}
    </Text>
  )
}

function LineSample({ line, isHidden }: { line: Line | undefined; isHidden: boolean }) {
  return (
    <svg width={28} height={8} aria-hidden style={{ flex: 'none', opacity: isHidden ? 0.3 : 1 }}>
      <line
        x1={0}
        x2={28}
        y1={4}
        y2={4}
        stroke={line?.colour}
        strokeWidth={2.5}
        strokeDasharray={line?.dash?.join(' ')}
      />
    </svg>
  )
}
