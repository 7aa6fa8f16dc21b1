import { Alert, Button, Group, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { inWords } from '../frame/queries.ts'
import { Sheet } from './sheet.tsx'

interface DialogProps {
  title: string
  /** What the button does: `Add the user`. */
  send: string
  onSend: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
  /** Asked before it is sent; false where something is missing yet. */
  isReady?: () => boolean
}

/** A form over the page. It stays as it is where the controller says no. */
export function Dialog({ title, send, onSend, onClose, children, isReady = () => true }: DialogProps) {
  const act = useMutation({ mutationFn: onSend })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady()) act.mutate()
  }
  return (
    <Sheet onLeave={onClose} isBusy={act.isPending} title={title} size="lg" closeOnClickOutside={false}>
      <form onSubmit={submit}>
        <Stack>
          {act.isError && (
            <Alert color="red" role="alert">
              {inWords(act.error)}
            </Alert>
          )}
          {children}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={act.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={act.isPending}>
              {send}
            </Button>
          </Group>
        </Stack>
      </form>
    </Sheet>
  )
}
