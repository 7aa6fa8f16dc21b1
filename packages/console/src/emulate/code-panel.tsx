import { Button, Collapse, SegmentedControl, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { Snippet } from '../ui/snippet.tsx'
import { codeFor } from './code.ts'
import { type EmulationRequest, specsOf } from './request.ts'

type Language = keyof ReturnType<typeof codeFor>

/** The request as curl, SDK and CLI code. */
export function CodePanel({ request }: { request: EmulationRequest }) {
  const [isOpen, { toggle }] = useDisclosure()
  const [language, setLanguage] = useState<Language>('curl')
  const text = codeFor(specsOf(request), location.origin)[language]
  return (
    <div>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
        onClick={toggle}
        aria-expanded={isOpen}
      >
        Show as code
      </Button>
      <Collapse expanded={isOpen} keepMounted={false}>
        <Stack gap="sm" pt="sm">
          <SegmentedControl
            size="xs"
            aria-label="Language"
            value={language}
            onChange={setLanguage}
            data={['curl', 'SDK', 'CLI']}
          />
          <Snippet label={`Request with ${language}`} text={text} />
        </Stack>
      </Collapse>
    </div>
  )
}
