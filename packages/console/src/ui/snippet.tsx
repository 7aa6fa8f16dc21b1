import { ActionIcon, Code, Group, Text, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'

/** Code with a copy button. */
export function Snippet({ label, text }: { label: string; text: string }) {
  return (
    <Group gap="sm" align="flex-start" wrap="nowrap">
      <Code
        block
        fz={12}
        p="sm"
        tabIndex={0}
        aria-label={label}
        mah={360}
        style={{ flex: 1, minWidth: 0, overflow: 'auto' }}
      >
        {text}
      </Code>
      <CopyButton label={label} text={text} />
    </Group>
  )
}

/** A snippet with a visible label. */
export function CopyField({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {label}
      </Text>
      <Snippet label={label} text={text} />
    </div>
  )
}

/** Browsers deny access to the clipboard on pages without TLS; the tooltip then asks to copy manually. */
function CopyButton({ label, text }: { label: string; text: string }) {
  const { copy, copied, error } = useClipboard()
  const action = copied ? 'Copied' : error ? 'Select the text and copy it manually' : 'Copy'
  return (
    <Tooltip label={action} {...(error && { opened: true })}>
      <ActionIcon variant="default" size="lg" onClick={() => copy(text)} aria-label={`${action}: ${label}`}>
        {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </ActionIcon>
    </Tooltip>
  )
}
