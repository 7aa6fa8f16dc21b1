import { whatIfAccuracy } from '@manc/contract/what-if-accuracy'
import type { ExperimentDetails, FleetAgent } from '@manc/sdk'
import { Alert, Anchor, Button, Group, Progress, Stack, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'
import { formatCount, formatValue } from '../format/number.ts'
import { ModalDialog } from '../ui/modal-dialog.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { type ShownFigure, shownFigures, stateLabels } from './experiment-texts.ts'
import { predictedVerdictOf } from './interval-plot.ts'
import { useExperiment, useExperimentActions } from './use-experiments.ts'
import { useWhatIf } from './use-what-if.ts'

interface WhatIfProps {
  agent: FleetAgent
  command: string
  /** What the command does to the access point, if that has to be said before. */
  warning: string | undefined
  onApply: () => void
  onClose: () => void
}

/** What a command would change in the next 30 minutes, before it is sent. */
export function WhatIf({ agent, command, warning, onApply, onClose }: WhatIfProps) {
  const name = agent.name ?? agent.ap_id
  /** Cancels the simulation while there is one. */
  const stop = useRef<() => void>(undefined)
  const isClosed = useRef(false)
  const close = () => {
    isClosed.current = true
    stop.current?.()
    onClose()
  }
  return (
    <ModalDialog onClose={close} title={`What if ${name} gets ${command}?`} size="lg" centered>
      {agent.position ? (
        <Prediction {...{ agent, command, warning, onApply, stop, isClosed }} onClose={close} />
      ) : (
        <Empty title="No position">
          Without the position of the access point its surroundings cannot be simulated. Add geolocation to
          its configuration.
        </Empty>
      )}
    </ModalDialog>
  )
}

interface Stoppable {
  stop: RefObject<(() => void) | undefined>
}

interface Closable {
  isClosed: RefObject<boolean>
}

function Prediction({ agent, command, isClosed, ...rest }: WhatIfProps & Stoppable & Closable) {
  const request = useWhatIf({ agent, command, isClosed })
  const { mutate } = request
  const isAsked = useRef(false)
  // Once, also where effects run twice.
  useEffect(() => {
    if (isAsked.current) return
    isAsked.current = true
    mutate()
  }, [mutate])
  if (request.isError) return <Failure error={request.error} onRetry={() => mutate()} />
  if (!request.data) return <Loading what="prediction" />
  return <Progressing id={request.data.id} {...rest} />
}

type Actions = Pick<WhatIfProps, 'warning' | 'onApply' | 'onClose'> & Stoppable

function Progressing({ id, warning, stop, onApply, onClose }: Actions & { id: string }) {
  const { data: experiment, error, refetch } = useExperiment(id)
  const { mutate: cancel } = useExperimentActions(id).cancel
  const isOver = experiment !== undefined && experiment.ended_at !== null
  useEffect(() => {
    stop.current = isOver ? undefined : () => cancel()
  }, [stop, isOver, cancel])
  if (!experiment && error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!experiment) return <Loading what="prediction" />
  return (
    <Stack gap="md">
      {isOver ? <Outcome experiment={experiment} /> : <Simulating experiment={experiment} />}
      {warning && <Text size="sm">{warning}</Text>}
      <Group justify="space-between" gap="sm">
        <Anchor size="sm" renderRoot={(props) => <Link to="/experiments" search={{ open: id }} {...props} />}>
          All figures
        </Anchor>
        <Group gap="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button onClick={onApply} disabled={!isOver} {...(warning !== undefined && { color: 'red.9' })}>
            Apply
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}

function Simulating({ experiment }: { experiment: ExperimentDetails }) {
  const { run_list: runs, state } = experiment
  const done = runs.reduce(
    (sum, run) => sum + (run.state === 'running' ? run.progress_pct / 100 : run.state === 'waiting' ? 0 : 1),
    0,
  )
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {state === 'waiting'
          ? `${stateLabels.waiting}. If none begins within a minute, start manc-emulator.`
          : 'Simulating the next 30 minutes.'}
      </Text>
      <Progress value={(100 * done) / runs.length} size={10} aria-label="Progress of the simulation" />
    </Stack>
  )
}

const figures: readonly ShownFigure['figure'][] = ['p5_mbps', 'mean_mbps', 'handovers', 'kwh']

function Outcome({ experiment }: { experiment: ExperimentDetails }) {
  const { results, run_list: runs, world } = experiment
  const [without, changed] = results
  const failure = runs.find(({ detail }) => detail !== null)?.detail
  const shown = shownFigures
    .filter(({ figure }) => figures.includes(figure))
    .toSorted((a, b) => figures.indexOf(a.figure) - figures.indexOf(b.figure))
  return (
    <Stack gap="sm">
      {failure && (
        <Alert color="red" title="Some runs have no result" role="alert">
          {failure}
        </Alert>
      )}
      {world.network && (
        <Text size="sm" c="dimmed">
          The next 30 minutes of {formatCount(world.network.access_points, 'access point')} with{' '}
          {formatCount(world.network.clients, 'client')}, simulated from what they measure now. Nothing was
          sent.
        </Text>
      )}
      {changed && changed.runs > 0 && (
        <>
          <Table.ScrollContainer minWidth={380} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
            <Table verticalSpacing={6} aria-label="Predicted difference">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Figure</Table.Th>
                  <Table.Th>Without</Table.Th>
                  <Table.Th>With</Table.Th>
                  <Table.Th>Difference</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {shown.map((each) => {
                  const { label, unit, figure } = each
                  const summary = changed.figures[figure]
                  const before = without?.figures[figure].mean ?? null
                  return (
                    <Table.Tr key={figure}>
                      <Table.Td>{unit === '' ? label : `${label} (${unit})`}</Table.Td>
                      <Table.Td className="figures">{valueText(before)}</Table.Td>
                      <Table.Td className="figures">{valueText(summary.mean)}</Table.Td>
                      <Table.Td className="figures">
                        {differenceText(summary)}
                        <Text size="xs" c="dimmed">
                          {predictedVerdictOf(each, summary, before)}
                        </Text>
                      </Table.Td>
                    </Table.Tr>
                  )
                })}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
          <Text size="sm">{accuracyText(world.network)}</Text>
        </>
      )}
    </Stack>
  )
}

/** From this part on the figures of measured clients hold. */
const measuredPart = 0.8

/** What is known about the error of a prediction. */
function accuracyText(network: ExperimentDetails['world']['network']): string {
  const { clients = 0, measured_clients: known = 0 } = network ?? {}
  const isMeasured = known >= measuredPart * clients
  const { signCorrectPct, medianP5ErrorPct } = whatIfAccuracy[isMeasured ? 'measured' : 'countsOnly']
  const missing = isMeasured
    ? ''
    : `Only ${known} of ${formatCount(clients, 'client')} report what they hear; the others are assumed. `
  return `${missing}How sure this is: in ${whatIfAccuracy.situations} emulated situations of this kind, the effect on the throughput of the worst 5 % was predicted correctly in ${signCorrectPct} %, and its value was wrong by ${medianP5ErrorPct} % (median). Real networks differ from the models.`
}

const valueText = (value: number | null): string => (value === null ? '–' : formatValue(value))

function differenceText({
  difference,
  difference_interval: interval,
}: ExperimentDetails['results'][number]['figures']['p5_mbps']): string {
  if (difference === null) return '–'
  return `${difference > 0 ? '+' : ''}${formatValue(difference)}${interval === null ? '' : ` ± ${formatValue(interval)}`}`
}
