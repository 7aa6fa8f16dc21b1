import { fieldProblem } from '@manc/contract/configuration-fields'
import type { Rollout } from '@manc/sdk'
import { Alert, Button, Group, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { parseConfiguration } from '../access-point/configuration-diff.ts'
import { ConfigurationFields } from '../access-point/configuration-fields.tsx'
import { valueAt } from '../access-point/configuration-form.ts'
import { errorText } from '../ui/error-text.ts'
import { Differences } from './differences.tsx'
import { changeTextOf, emptyDraft, type RolloutDraft, selectionOf, sharedFields } from './rollout-draft.ts'
import { RolloutRecipients } from './rollout-recipients.tsx'
import { StartRollout } from './start-rollout.tsx'
import { usePreview } from './use-rollouts.ts'

/** Access points, the change, a preview of each difference, and the start. */
export function RolloutForm({ onStarted }: { onStarted: (rollout: Rollout) => void }) {
  // The access points that were selected in the table.
  const selected = useLocation({ select: ({ state }) => state.accessPoints })
  const [draft, setDraft] = useState<RolloutDraft>({ ...emptyDraft, selected })
  const change = (part: Partial<RolloutDraft>) => setDraft((before) => ({ ...before, ...part }))
  const preview = usePreview()
  const { selection, problem } = selectionOf(draft)
  // The preview of another selection or change says nothing about this one.
  const isCurrent = JSON.stringify(preview.data?.selection) === JSON.stringify(selection)
  const shown = isCurrent ? preview.data?.preview : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (selection) preview.mutate(selection)
  }
  return (
    <Stack gap="lg">
      <form onSubmit={submit}>
        <Stack gap="lg">
          <RolloutRecipients draft={draft} change={change} />
          <ChangeFields draft={draft} change={change} />
          <Group gap="sm">
            <Button
              type="submit"
              variant={shown ? 'default' : 'filled'}
              disabled={!selection || hasProblem(draft)}
              loading={preview.isPending}
            >
              Preview changes
            </Button>
            {problem && (
              <Text size="sm" c="dimmed">
                {problem}
              </Text>
            )}
          </Group>
        </Stack>
      </form>
      {preview.error && (
        <Alert color="red" role="alert" title="No preview">
          {errorText(preview.error)}
        </Alert>
      )}
      {shown && <Differences preview={shown} />}
      {shown && selection && <StartRollout selection={selection} preview={shown} onStarted={onStarted} />}
    </Stack>
  )
}

interface ChangeFieldsProps {
  draft: RolloutDraft
  change: (part: Partial<RolloutDraft>) => void
}

/** The known settings as a form, and the whole change as JSON beside it. Each follows the other. */
function ChangeFields({ draft: { technology, changeText }, change }: ChangeFieldsProps) {
  const { value, problem } = parseConfiguration(changeText)
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      {value ? (
        <Stack gap="sm">
          <Text size="sm" fw={600}>
            Change
          </Text>
          <ConfigurationFields
            value={value}
            onChange={(next) => change({ changeText: changeTextOf(next) })}
            // A value that is removed has no field.
            fields={sharedFields(technology).filter(({ path }) => valueAt(value, path) !== null)}
            placeholder="No change"
          />
          {technology === undefined && (
            <Text size="xs" c="dimmed">
              Choose a technology for its settings, or write them as JSON.
            </Text>
          )}
        </Stack>
      ) : (
        <Text size="sm" c="dimmed">
          Correct the JSON to use the form.
        </Text>
      )}
      <Textarea
        label="Change as JSON"
        description="Values to set. null removes one; all others stay as they are."
        autosize
        minRows={6}
        maxRows={20}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={changeText}
        onChange={({ currentTarget }) => change({ changeText: currentTarget.value })}
        error={problem}
      />
    </SimpleGrid>
  )
}

/** A value that the form shows with an error. Null removes a value. */
function hasProblem({ technology, changeText }: RolloutDraft): boolean {
  const { value = {} } = parseConfiguration(changeText)
  return sharedFields(technology).some((field) => {
    const given = valueAt(value, field.path)
    return given !== null && fieldProblem(field, given) !== undefined
  })
}
