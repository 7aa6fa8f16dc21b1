import { Alert, Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ModalDialog } from './modal-dialog.tsx'
import { CopyField } from './snippet.tsx'

interface SecretDialogProps {
  title: string
  /** `Password for wifi-1` */
  label: string
  secret: string
  onClose: () => void
  children?: ReactNode
}

/** Shows a secret that is stored nowhere. Only its button closes it, so that it is not lost by accident. */
export function SecretDialog({ title, label, secret, onClose, children }: SecretDialogProps) {
  return (
    <ModalDialog
      onClose={onClose}
      title={title}
      size="xl"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow" variant="light">
          <Text size="sm" c="var(--mantine-color-text)">
            Copy it now. It is shown only once; if it is lost, it must be replaced.
          </Text>
        </Alert>
        <CopyField label={label} text={secret} />
        {children}
        <Button onClick={onClose} style={{ alignSelf: 'flex-end' }}>
          Done
        </Button>
      </Stack>
    </ModalDialog>
  )
}
