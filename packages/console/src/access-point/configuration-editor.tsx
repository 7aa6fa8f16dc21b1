import { fieldProblem } from '@manc/contract/configuration-fields'
import { Alert, Button, Group, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { errorText } from '../ui/error-text.ts'
import { ConfigurationChanges } from './configuration-changes.tsx'
import { type Configuration, changesBetween, parseConfiguration } from './configuration-diff.ts'
import { ConfigurationFields } from './configuration-fields.tsx'
import { fieldsOf, valueAt } from './configuration-form.ts'
import { useReplaceConfiguration } from './use-configuration.tsx'

export const textOf = (configuration: Configuration) => JSON.stringify(configuration, null, 2)

interface ConfigurationEditorProps {
  apId: string
  /** The configuration when editing began. */
  base: Configuration
  text: string
  onChange: (text: string) => void
  onClose: () => void
}

/** A form with the known settings, and the whole configuration as JSON beside it. Each follows the other. */
export function ConfigurationEditor({ apId, base, text, onChange, onClose }: ConfigurationEditorProps) {
  const replace = useReplaceConfiguration(apId)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const { value, problem: syntaxError } = parseConfiguration(text)
  const changes = value ? changesBetween(base, value) : []
  const isWrong = value ? hasNewProblem(base, value) : true
  const save = async (configuration: Configuration) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await replace(configuration, base)
      onClose()
    } catch (error) {
      setProblem(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Stack gap="md" pt="md">
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        {value ? (
          <ConfigurationFields value={value} onChange={(next) => onChange(textOf(next))} />
        ) : (
          <Text size="sm" c="dimmed">
            Correct the JSON to use the form.
          </Text>
        )}
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
      </SimpleGrid>
      {value && <ConfigurationChanges changes={changes} />}
      <Text size="xs" c="dimmed">
        An agent sends its own configuration when it connects, which replaces this one where they differ.
      </Text>
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      <Group>
        <Button
          size="xs"
          loading={isBusy}
          disabled={!value || isWrong || changes.length === 0}
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

/** A value that was there before may be one that the form does not know. */
const hasNewProblem = (before: Configuration, after: Configuration): boolean =>
  fieldsOf(after).some(
    (field) =>
      fieldProblem(field, valueAt(after, field.path)) !== undefined &&
      valueAt(before, field.path) !== valueAt(after, field.path),
  )
