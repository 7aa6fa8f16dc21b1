import type { EmulatedChoice, Technology } from '@manc/sdk'
import { Alert, Button, Chip, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type FormEvent, useMemo, useState } from 'react'
import { useManc } from '../app/session.tsx'
import { CommandInput } from '../commands/command-input.tsx'
import { commonCommands, disruptionOf } from '../commands/command-texts.ts'
import { EmulatedField } from '../fleet/emulated-field.tsx'
import { HiddenEmulated } from '../fleet/hidden-emulated.tsx'
import { formatCount, formatNumber } from '../format/number.ts'
import { errorText } from '../ui/error-text.ts'
import { technologies } from '../ui/theme.ts'
import { AreaField } from './area-field.tsx'
import { startReading } from './job-readers.ts'
import { maxReadById, readRecipientCount } from './recipient-count.ts'
import { commandBody, emulatedOf, hasFilter, parseArea, parseIds, type Recipients } from './recipients.ts'
import { type CommandForm, emptyForm } from './repeated-command.ts'

interface BulkCommandProps {
  /** What the form contains at first. */
  initial?: Partial<CommandForm>
  onSent: (jobNumber: string) => void
}

/** Sends one command to all access points that match. Shows their number, and confirms disruptive commands. */
export function BulkCommand({ initial, onSent }: BulkCommandProps) {
  const manc = useManc()
  const form = { ...emptyForm, ...initial }
  const [command, setCommand] = useState(form.command)
  const [technology, setTechnology] = useState<Technology | undefined>(form.technology)
  const [areaText, setAreaText] = useState(form.areaText)
  // The access points that were selected in the table.
  const selected = useLocation({ select: ({ state }) => state.accessPoints })
  const [idText, setIdText] = useState(selected?.join(', ') ?? form.idText)
  const [emulated, setEmulated] = useState<EmulatedChoice>(form.emulated)
  const [isConfirming, { open: confirm, close: closeConfirmation }] = useDisclosure()
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const recipients = useMemo<Recipients>(
    () => ({ technology, area: parseArea(areaText), ids: parseIds(idText), emulated }),
    [technology, areaText, idText, emulated],
  )
  const count = useRecipientCount(recipients)
  const total = count.data?.total ?? 0
  const recipientText = count.isCurrent ? formatCount(total, 'access point') : '…'
  const disruption = disruptionOf(command)
  const isReady =
    command.trim() !== '' &&
    hasFilter(recipients) &&
    count.isCurrent &&
    total > 0 &&
    (areaText.trim() === '' || recipients.area !== undefined)
  const send = async () => {
    closeConfirmation()
    setBusy(true)
    setError(undefined)
    try {
      const { jobNumber } = await manc.commands.sendToMany(commandBody(command, recipients))
      startReading(manc, jobNumber)
      onSent(jobNumber)
    } catch (failure) {
      setError(errorText(failure))
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady) return
    if (disruption) confirm()
    else void send()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <CommandInput
          description="Command name, followed by its value if it has one."
          placeholder="set_power 20"
          commands={commonCommands(technology)}
          value={command}
          onChange={setCommand}
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
        <AreaField text={areaText} onChange={setAreaText} technology={technology} emulated={emulated} />
        <Textarea
          label="IDs"
          description="Separated by commas, spaces or line breaks. Empty: any."
          placeholder="wifi-1, wifi-2"
          autosize
          minRows={2}
          maxRows={6}
          value={idText}
          onChange={({ currentTarget }) => setIdText(currentTarget.value)}
        />
        {recipients.ids.length === 0 && (
          <Stack gap={4}>
            <EmulatedField value={emulated} onChange={setEmulated} />
            <HiddenEmulated
              emulated={emulated}
              state="not included"
              action="Include"
              onInclude={() => setEmulated('all')}
            />
          </Stack>
        )}
        <RecipientSummary recipients={recipients} count={count} />
        {error && (
          <Alert color="red" title="Request failed" role="alert">
            {error}
          </Alert>
        )}
        <Group>
          <Button type="submit" disabled={!isReady} loading={isBusy} {...(disruption && { color: 'red.9' })}>
            {disruption?.verb ?? 'Send to'} {recipientText}
          </Button>
        </Group>
      </Stack>
      <Modal
        opened={isConfirming}
        onClose={closeConfirmation}
        centered
        title={`${disruption?.verb} ${recipientText}?`}
      >
        <Stack>
          <Text size="sm">
            {disruption?.toMany} {count.data && `${formatNumber(count.data.online)} of them are online.`}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={closeConfirmation} data-autofocus>
              Cancel
            </Button>
            <Button color="red.9" onClick={() => void send()} disabled={!isReady}>
              {disruption?.verb} {recipientText}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </form>
  )
}

/** Number of recipients. The count lags behind the filters; `isCurrent` is false until it has caught up. */
function useRecipientCount(recipients: Recipients) {
  const manc = useManc()
  const [debounced] = useDebouncedValue(recipients, 250)
  const { technology, area, ids } = debounced
  const emulated = emulatedOf(debounced)
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['fleet', 'recipients', technology, area, ids, emulated],
    enabled: hasFilter(debounced),
    placeholderData: keepPreviousData,
    refetchInterval: ids.length > maxReadById ? 60_000 : 10_000,
    queryFn: ({ signal }) =>
      readRecipientCount(
        manc,
        { ...(technology && { technology: [technology] }), ...(area && { area }), emulated, signal },
        ids,
      ),
  })
  return { data, error, isCurrent: debounced === recipients && data !== undefined && !isPlaceholderData }
}

function RecipientSummary({
  recipients,
  count,
}: {
  recipients: Recipients
  count: ReturnType<typeof useRecipientCount>
}) {
  if (!hasFilter(recipients)) return null
  if (count.error && !count.data)
    return (
      <Text size="sm" c="var(--mantine-color-error)" role="alert">
        {errorText(count.error)}
      </Text>
    )
  if (!count.data || !count.isCurrent)
    return (
      <Text size="sm" c="dimmed" role="status">
        Counting…
      </Text>
    )
  const { total, online, unknown } = count.data
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
