import { ActionIcon, Code, Group, Text, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'

/** A few lines for a terminal or a program, with a button that copies them. */
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
      <Copy label={label} text={text} />
    </Group>
  )
}

/** One line that is to be copied, with a name above it. */
export function CopyLine({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {label}
      </Text>
      <Snippet label={label} text={text} />
    </div>
  )
}

/** Without the right to the clipboard, as on a page without TLS, one selects the text by hand. */
function Copy({ label, text }: { label: string; text: string }) {
  const { copy, copied, error } = useClipboard()
  const says = copied ? 'Copied' : error ? 'Select the text and copy it manually' : 'Copy'
  return (
    <Tooltip label={says} {...(error && { opened: true })}>
      <ActionIcon variant="default" size="lg" onClick={() => copy(text)} aria-label={`${says}: ${label}`}>
        {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </ActionIcon>
    </Tooltip>
  )
}
