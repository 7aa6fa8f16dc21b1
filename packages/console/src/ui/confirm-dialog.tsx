import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { errorText } from './error-text.ts'
import { ModalDialog } from './modal-dialog.tsx'

interface ConfirmDialogProps {
  /** `Remove wifi-1?` */
  title: string
  /** What is lost and what is kept. */
  children: ReactNode
  /** `Remove wifi-1` */
  confirmLabel: string
  /** The default is `Cancel`. */
  cancelLabel?: string
  /** Performs the action and closes the dialog. */
  onConfirm: () => Promise<unknown>
  onCancel: () => void
}

/** Confirmation before something is lost permanently. An error of the controller is shown in the dialog. */
export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  cancelLabel = 'Cancel',
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const action = useMutation({ mutationFn: onConfirm })
  return (
    <ModalDialog onClose={onCancel} isBusy={action.isPending} title={title} centered>
      <Stack>
        {action.isError && (
          <Alert color="red" role="alert">
            {errorText(action.error)}
          </Alert>
        )}
        <Text size="sm" component="div">
          {children}
        </Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel} disabled={action.isPending} data-autofocus>
            {cancelLabel}
          </Button>
          <Button color="red.8" loading={action.isPending} onClick={() => action.mutate()}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </ModalDialog>
  )
}
