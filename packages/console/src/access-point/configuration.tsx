import type { Agent } from '@manc/sdk'
import { Button, Code, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { UnsavedChanges } from '../ui/unsaved-changes.tsx'
import type { Configuration } from './configuration-diff.ts'
import { ConfigurationEditor, textOf } from './configuration-editor.tsx'
import { ConfigurationVersions } from './configuration-versions.tsx'

/** The configuration and its versions; administrators can edit and restore it. */
export function ConfigurationPanel({ agent }: { agent: Agent }) {
  const me = useCurrentUser()
  const [draft, setDraft] = useState<{ text: string; base: Configuration }>()
  if (draft)
    return (
      <>
        <UnsavedChanges hasChanges={draft.text !== textOf(draft.base)} />
        <ConfigurationEditor
          apId={agent.ap_id}
          base={draft.base}
          text={draft.text}
          onChange={(text) => setDraft({ ...draft, text })}
          onClose={() => setDraft(undefined)}
        />
      </>
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
      <ConfigurationVersions agent={agent} />
    </Stack>
  )
}
