import type { Rollout, RolloutPreview, RolloutSelection } from '@manc/sdk'
import { Alert, Button, Group, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useManc } from '../app/session.tsx'
import { formatCount } from '../format/number.ts'
import { errorText } from '../ui/error-text.ts'

interface StartRolloutProps {
  selection: RolloutSelection
  preview: RolloutPreview
  onStarted: (rollout: Rollout) => void
}

/** How a previewed change is rolled out, and the start. */
export function StartRollout({ selection, preview, onStarted }: StartRolloutProps) {
  const manc = useManc()
  const [title, setTitle] = useState('')
  const [waitS, setWaitS] = useState<number | string>(60)
  const [maxFailures, setMaxFailures] = useState<number | string>(0)
  const start = useMutation({
    mutationFn: () =>
      manc.rollouts.create({
        ...selection,
        ...(title.trim() !== '' && { title: title.trim() }),
        wait_s: Number(waitS),
        max_failures: Number(maxFailures),
      }),
    onSuccess: onStarted,
  })
  const changing = preview.agents - preview.unchanged
  if (changing === 0) return null
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
        <TextInput
          label="Title"
          description="Shown in the list."
          placeholder="Optional"
          maxLength={200}
          value={title}
          onChange={({ currentTarget }) => setTitle(currentTarget.value)}
        />
        <NumberInput
          label="Observation (s)"
          description="After each stage."
          min={0}
          max={86_400}
          allowDecimal={false}
          value={waitS}
          onChange={setWaitS}
        />
        <NumberInput
          label="Failures allowed"
          description="With more, it stops."
          min={0}
          max={10_000}
          allowDecimal={false}
          value={maxFailures}
          onChange={setMaxFailures}
        />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        First one access point, then 10 %, then all. An access point fails if it cannot be changed, or if it
        is offline or bad at the end of the observation and was not before.
      </Text>
      <Text size="sm" c="dimmed">
        A rollout changes the configuration that the controller stores. An agent that sends its own
        configuration when it connects replaces it.
      </Text>
      {start.error && (
        <Alert color="red" role="alert" title="Not started">
          {errorText(start.error)}
        </Alert>
      )}
      <Group>
        <Button
          disabled={waitS === '' || maxFailures === ''}
          loading={start.isPending}
          onClick={() => start.mutate()}
        >
          Start rollout to {formatCount(changing, 'access point')}
        </Button>
      </Group>
    </Stack>
  )
}
