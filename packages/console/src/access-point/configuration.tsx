import type { Agent } from '@manc/sdk'
import { Alert, Button, Code, Group, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { useManc } from '../app/session.tsx'
import { errorText } from '../ui/error-text.ts'
import { ConfigurationChanges } from './configuration-changes.tsx'
import { type Configuration, changesBetween, parseConfiguration } from './configuration-diff.ts'

const textOf = (configuration: Configuration) => JSON.stringify(configuration, null, 2)

/** The configuration; administrators can edit it. */
export function ConfigurationPanel({ agent }: { agent: Agent }) {
  const me = useCurrentUser()
  const [draft, setDraft] = useState<{ text: string; base: Configuration }>()
  if (draft)
    return (
      <Editor
        apId={agent.ap_id}
        base={draft.base}
        text={draft.text}
        onChange={(text) => setDraft({ ...draft, text })}
        onClose={() => setDraft(undefined)}
      />
    )
  const text = textOf(agent.configuration)
  return (
    <Stack gap="md" pt="md">
      <Code block tabIndex={0} aria-label="Configuration" style={{ maxHeight: '60vh', overflow: 'auto' }}>
        {text}
      </Code>
      {me.isAdmin && (
        <Group>
          <Button size="xs" variant="default" onClick={() => setDraft({ text, base: agent.configuration })}>
            Edit configuration
          </Button>
        </Group>
      )}
    </Stack>
  )
}

interface EditorProps {
  apId: string
  /** The configuration when editing began. */
  base: Configuration
  text: string
  onChange: (text: string) => void
  onClose: () => void
}

function Editor({ apId, base, text, onChange, onClose }: EditorProps) {
  const manc = useManc()
  const queries = useQueryClient()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const { value, problem: syntaxError } = parseConfiguration(text)
  const changes = value ? changesBetween(base, value) : []

  /** Saving replaces the whole configuration, so it is done only if the current one is `expected`. */
  const replace = async (configuration: Configuration, expected: Configuration, conflict: string) => {
    const current = await manc.agents.get(apId)
    queries.setQueryData(['agent', apId], current)
    if (changesBetween(expected, current.configuration).length > 0) throw new Error(conflict)
    queries.setQueryData(['agent', apId], await manc.agents.update(apId, { configuration }))
  }
  const undo = async (saved: Configuration) => {
    try {
      await replace(
        base,
        saved,
        `The configuration of ${apId} was changed again and was not restored. Check its current configuration.`,
      )
      notifications.show({ message: `Configuration of ${apId} restored.` })
    } catch (error) {
      notifications.show({ color: 'red', message: errorText(error) })
    }
  }
  const save = async (configuration: Configuration) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await replace(
        configuration,
        base,
        'The configuration was changed by someone else while you were editing. Copy your changes, cancel, and edit the current configuration.',
      )
      offerUndo(apId, () => void undo(configuration))
      onClose()
    } catch (error) {
      setProblem(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Stack gap="md" pt="md">
      <Textarea
        label="Configuration"
        description="One JSON object, up to 64 KiB. It replaces the whole configuration."
        autosize
        minRows={12}
        maxRows={28}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        error={syntaxError}
      />
      {value && <ConfigurationChanges changes={changes} />}
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      <Group>
        <Button
          size="xs"
          loading={isBusy}
          disabled={!value || changes.length === 0}
          onClick={() => value && void save(value)}
        >
          {changes.length === 1 ? 'Save 1 change' : `Save ${changes.length} changes`}
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}

function offerUndo(apId: string, undo: () => void): void {
  const id = notifications.show({
    autoClose: 20_000,
    title: 'Saved',
    message: (
      <Group justify="space-between" gap="sm">
        <Text size="sm">Configuration of {apId} changed.</Text>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            notifications.hide(id)
            undo()
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  })
}
