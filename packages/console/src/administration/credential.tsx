import { Alert, Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyLine } from '../developers/snippet.tsx'
import { Sheet } from './sheet.tsx'

interface CredentialProps {
  title: string
  /** `Password of wifi-1` */
  label: string
  secret: string
  onClose: () => void
  children?: ReactNode
}

/** What is shown once and kept nowhere. Closed by its button alone, not by a slip. */
export function Credential({ title, label, secret, onClose, children }: CredentialProps) {
  return (
    <Sheet
      onLeave={onClose}
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
        <CopyLine label={label} text={secret} />
        {children}
        <Button onClick={onClose} style={{ alignSelf: 'flex-end' }}>
          Done
        </Button>
      </Stack>
    </Sheet>
  )
}
