import type { NotificationReceiver } from '@manc/sdk'
import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'
import { formatCount } from '../format/number.ts'
import { errorText } from '../ui/error-text.ts'
import { ModalDialog } from '../ui/modal-dialog.tsx'

/** Sends a test message and shows its result. */
export function TestDialog({ receiver, onClose }: { receiver: NotificationReceiver; onClose: () => void }) {
  const manc = useManc()
  const queued = useQuery({
    queryKey: ['notification-test', receiver.id],
    queryFn: () => manc.notifications.test(receiver.id),
    // One message for each time that the dialog is opened.
    gcTime: 0,
    staleTime: Infinity,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  })
  const id = queued.data?.id
  const delivery = useQuery({
    queryKey: ['notification-test', receiver.id, id],
    queryFn: ({ signal }) => manc.notifications.delivery(id ?? '', { signal }),
    enabled: id !== undefined,
    gcTime: 0,
    refetchInterval: ({ state }) => (isFinal(state.data?.status) ? false : 1000),
  })
  const error = queued.error ?? (delivery.data ? null : delivery.error)
  const { status, attempts = 0, error: reason, status_code: code } = delivery.data ?? {}
  return (
    <ModalDialog title={`Test of ${receiver.name}`} onClose={onClose} size="lg" centered>
      <Stack aria-live="polite">
        {error && (
          <Alert color="red" role="alert">
            {errorText(error)}
          </Alert>
        )}
        {!error && !isFinal(status) && (
          <Group gap="sm" wrap="nowrap">
            <Loader size="sm" />
            <Text size="sm">
              {reason
                ? `Attempt ${attempts} failed, it is repeated: ${reason}`
                : 'The message is queued. Waiting for its result…'}
            </Text>
          </Group>
        )}
        {status === 'sent' && (
          <Text size="sm">
            Sent after {formatCount(attempts, 'attempt')}
            {code ? `, the webhook answered with ${code}` : ''}.
          </Text>
        )}
        {status === 'failed' && (
          <Alert color="red" role="alert" title={`Failed after ${formatCount(attempts, 'attempt')}`}>
            {reason ?? 'No reason was given.'}
          </Alert>
        )}
        <Button variant="default" onClick={onClose} style={{ alignSelf: 'flex-end' }} data-autofocus>
          Close
        </Button>
      </Stack>
    </ModalDialog>
  )
}

const isFinal = (status: string | undefined): boolean => status === 'sent' || status === 'failed'
