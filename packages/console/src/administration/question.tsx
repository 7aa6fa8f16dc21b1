import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { inWords } from '../frame/queries.ts'
import { Sheet } from './sheet.tsx'

interface QuestionProps {
  /** `Remove wifi-1?` */
  title: string
  /** What is lost by it, and what is not. */
  children: ReactNode
  /** What the button does: `Remove wifi-1`. */
  yes: string
  /** Does it, and closes this. */
  onYes: () => Promise<unknown>
  onLeave: () => void
}

/** Asked before something is lost for good. A refusal is told in the controller's words. */
export function Question({ title, children, yes, onYes, onLeave }: QuestionProps) {
  const act = useMutation({ mutationFn: onYes })
  return (
    <Sheet onLeave={onLeave} isBusy={act.isPending} title={title} centered>
      <Stack>
        {act.isError && (
          <Alert color="red" role="alert">
            {inWords(act.error)}
          </Alert>
        )}
        <Text size="sm" component="div">
          {children}
        </Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onLeave} disabled={act.isPending} data-autofocus>
            Cancel
          </Button>
          <Button color="red.8" loading={act.isPending} onClick={() => act.mutate()}>
            {yes}
          </Button>
        </Group>
      </Stack>
    </Sheet>
  )
}
