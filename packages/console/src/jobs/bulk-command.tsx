import type { Technology } from '@manc/sdk'
import { Alert, Autocomplete, Button, Chip, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { useManc } from '../app/session.tsx'
import { commonCommands, disruptionOf } from '../commands/command-texts.ts'
import { formatCount, formatNumber } from '../format/number.ts'
import { errorText } from '../ui/error-text.ts'
import { technologies } from '../ui/theme.ts'
import { AreaField } from './area-field.tsx'
import { startReading } from './job-readers.ts'
import { areaIn, bodyOf, countRecipients, hasFilter, idsIn, type Selection } from './recipients.ts'

/** One command to all that fit: shows how many, asks where clients would be cut off, and hands over the job. */
export function BulkCommand({ onSent }: { onSent: (jobNumber: string) => void }) {
  const manc = useManc()
  const [command, setCommand] = useState('')
  const [technology, setTechnology] = useState<Technology>()
  const [areaWords, setAreaWords] = useState('')
  const [idWords, setIdWords] = useState('')
  const [isAsking, { open: ask, close: stopAsking }] = useDisclosure()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const selection = useMemo<Selection>(
    () => ({ technology, area: areaIn(areaWords), ids: idsIn(idWords) }),
    [technology, areaWords, idWords],
  )
  const reach = useRecipientCount(selection)
  const total = reach.data?.total ?? 0
  const toWhom = reach.isCurrent ? formatCount(total, 'access point') : '…'
  const disruption = disruptionOf(command)
  const isReady =
    command.trim() !== '' &&
    hasFilter(selection) &&
    reach.isCurrent &&
    total > 0 &&
    (areaWords.trim() === '' || selection.area !== undefined)
  const send = async () => {
    stopAsking()
    setBusy(true)
    setProblem(undefined)
    try {
      const { jobNumber } = await manc.commands.sendToMany(bodyOf(command, selection))
      startReading(manc, jobNumber)
      onSent(jobNumber)
    } catch (error) {
      setProblem(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady) return
    if (disruption) ask()
    else void send()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Autocomplete
          label="Command"
          description="Command name, followed by its value if it has one."
          placeholder="set_power 20"
          data={commonCommands(technology)}
          value={command}
          onChange={setCommand}
          maxLength={1024}
          required
        />
        <div>
          <Text size="sm" fw={600}>
            Access points
          </Text>
          <Text size="sm" c="dimmed">
            The command is sent to access points that match all filters. Set at least one.
          </Text>
        </div>
        <Chip.Group
          value={technology ?? ''}
          onChange={(value) => setTechnology(value === '' ? undefined : value)}
        >
          <Group gap={6} role="group" aria-label="Technology">
            <Chip size="sm" variant="outline" value="">
              Any technology
            </Chip>
            {technologies.map((each) => (
              <Chip key={each} size="sm" variant="outline" value={each}>
                {each}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <AreaField text={areaWords} onChange={setAreaWords} technology={technology} />
        <Textarea
          label="IDs"
          description="Separated by commas, spaces or line breaks. Empty: any."
          placeholder="wifi-1, wifi-2"
          autosize
          minRows={2}
          maxRows={6}
          value={idWords}
          onChange={({ currentTarget }) => setIdWords(currentTarget.value)}
        />
        <RecipientSummary selection={selection} reach={reach} />
        {problem && (
          <Alert color="red" title="Request failed" role="alert">
            {problem}
          </Alert>
        )}
        <Group>
          <Button type="submit" disabled={!isReady} loading={isBusy} {...(disruption && { color: 'red.9' })}>
            {disruption?.verb ?? 'Send to'} {toWhom}
          </Button>
        </Group>
      </Stack>
      <Modal opened={isAsking} onClose={stopAsking} centered title={`${disruption?.verb} ${toWhom}?`}>
        <Stack>
          <Text size="sm">
            {disruption?.toMany} {reach.data && `${formatNumber(reach.data.online)} of them are online.`}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={stopAsking} data-autofocus>
              Cancel
            </Button>
            <Button color="red.9" onClick={() => void send()} disabled={!isReady}>
              {disruption?.verb} {toWhom}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </form>
  )
}

/** How many it will reach, before it is sent. What is counted lags behind what is chosen: `isCurrent` says so. */
function useRecipientCount(selection: Selection) {
  const manc = useManc()
  const [wanted] = useDebouncedValue(selection, 250)
  const { technology, area, ids } = wanted
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['fleet', 'selection', technology, area, ids],
    enabled: hasFilter(wanted),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
    queryFn: async ({ signal }) => {
      const which = { ...(technology && { technology: [technology] }), ...(area && { area }), signal }
      return countRecipients(await Array.fromAsync(manc.fleet.agents(which)), ids)
    },
  })
  return { data, error, isCurrent: wanted === selection && data !== undefined && !isPlaceholderData }
}

function RecipientSummary({
  selection,
  reach,
}: {
  selection: Selection
  reach: ReturnType<typeof useRecipientCount>
}) {
  if (!hasFilter(selection)) return null
  if (reach.error && !reach.data)
    return (
      <Text size="sm" c="var(--mantine-color-error)" role="alert">
        {errorText(reach.error)}
      </Text>
    )
  if (!reach.data || !reach.isCurrent)
    return (
      <Text size="sm" c="dimmed" role="status">
        Counting…
      </Text>
    )
  const { total, online, unknown } = reach.data
  return (
    <Text size="sm" role="status" className="figures">
      {total === 0
        ? 'No matches. Change a filter.'
        : `${formatCount(total, 'access point')}, ${formatNumber(online)} online.`}
      {unknown.length > 0 &&
        ` ${formatNumber(unknown.length)} ${unknown.length === 1 ? 'ID does' : 'IDs do'} not match: ${unknown.slice(0, 5).join(', ')}${unknown.length > 5 ? ' …' : ''}`}
    </Text>
  )
}
