import './experiments.css'
import type { ExperimentDetails, ExperimentResult } from '@manc/sdk'
import { SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { formatValue } from '../format/number.ts'
import { policyText, type ShownFigure, shownFigures } from './experiment-texts.ts'
import { intervalRows, verdictOf } from './interval-plot.ts'

/** One plot for each figure: means of the policies with their 95 % intervals. */
export function ResultsTable({ experiment: { results } }: { experiment: ExperimentDetails }) {
  const shown = shownFigures.filter(({ figure }) =>
    results.some(({ figures }) => figures[figure].mean !== null),
  )
  if (shown.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Results are shown when the first run has finished.
      </Text>
    )
  const [first] = results
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        Means over the seeds, ± half of their 95 % confidence intervals.
        {first &&
          results.length > 1 &&
          ` Differences are from “${policyText(first.policy)}”, seed by seed: better or worse where the interval does not contain 0.`}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        {shown.map((figure) => (
          <FigurePlot key={figure.figure} shown={figure} results={results} />
        ))}
      </SimpleGrid>
    </Stack>
  )
}

function FigurePlot({ shown, results }: { shown: ShownFigure; results: readonly ExperimentResult[] }) {
  const title = shown.unit === '' ? shown.label : `${shown.label} (${shown.unit})`
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Table.ScrollContainer minWidth={320} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table verticalSpacing={4} aria-label={title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Policy</Table.Th>
              <Table.Th>Mean</Table.Th>
              <Table.Th>Difference</Table.Th>
              <Table.Th aria-label="Scale" visibleFrom="sm" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {intervalRows(results, shown).map(({ policy, from, to, at }) => {
              const summary = results.find((result) => result.policy === policy)?.figures[shown.figure]
              const verdict = summary && verdictOf(shown, summary)
              return (
                <Table.Tr key={policy}>
                  <Table.Td>{policyText(policy)}</Table.Td>
                  <Table.Td className="figures">
                    {withInterval(summary?.mean ?? null, summary?.interval ?? null)}
                  </Table.Td>
                  <Table.Td className="figures">
                    {withInterval(summary?.difference ?? null, summary?.difference_interval ?? null, true)}
                    {verdict && (
                      <Text size="xs" c="dimmed">
                        {verdict}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td aria-hidden visibleFrom="sm">
                    <div className="interval-scale">
                      <div className="range" style={{ left: `${from}%`, width: `${to - from}%` }} />
                      <div className="mean" style={{ left: `${at}%` }} />
                    </div>
                  </Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  )
}

function withInterval(value: number | null, interval: number | null, isSigned = false): string {
  if (value === null) return '–'
  const sign = isSigned && value > 0 ? '+' : ''
  return `${sign}${formatValue(value)}${interval === null ? '' : ` ± ${formatValue(interval)}`}`
}
