import { Alert, Button, Group, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { errorText } from './error-text.ts'
import { ModalDialog } from './modal-dialog.tsx'

interface FormDialogProps {
  title: string
  /** `Add` */
  submitLabel: string
  onSubmit: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
  /** Validates the form before it is submitted. */
  isReady?: () => boolean
  size?: 'lg' | 'xl'
}

/** A form in a dialog. After an error of the controller it stays open with its values. */
export function FormDialog({
  title,
  submitLabel,
  onSubmit,
  onClose,
  children,
  isReady = () => true,
  size = 'lg',
}: FormDialogProps) {
  const submission = useMutation({ mutationFn: onSubmit })
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady()) submission.mutate()
  }
  return (
    <ModalDialog
      onClose={onClose}
      isBusy={submission.isPending}
      title={title}
      size={size}
      closeOnClickOutside={false}
    >
      <form onSubmit={handleSubmit}>
        <Stack>
          {submission.isError && (
            <Alert color="red" role="alert">
              {errorText(submission.error)}
            </Alert>
          )}
          {children}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={submission.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={submission.isPending}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </ModalDialog>
  )
}
