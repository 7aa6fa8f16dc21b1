import type { FleetAgent } from '@manc/sdk'
import { Alert, Autocomplete, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconSend } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { CommandProgress } from './command-progress.tsx'
import { commonCommands, disruptionOf, listedCommands } from './command-texts.ts'
import { useCommands } from './use-commands.ts'

interface CommandPanelProps {
  agent: FleetAgent
  configuration: Record<string, unknown>
}

/** For operators: one command to this access point, and what becomes of it. */
export function CommandPanel({ agent, configuration }: CommandPanelProps) {
  const { sent, send } = useCommands(agent.ap_id)
  const [command, setCommand] = useState('')
  // What is asked about stays while the question fades.
  const [asked, setAsked] = useState('')
  const [isAsking, ask] = useDisclosure()
  const listed = listedCommands(configuration)
  const name = agent.name ?? agent.ap_id
  const give = (text: string) => {
    ask.close()
    setCommand('')
    send(text)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const text = command.trim()
    if (text === '') return
    if (!disruptionOf(text)) return give(text)
    setAsked(text)
    ask.open()
  }
  return (
    <Stack gap="md">
      <form onSubmit={submit}>
        {/* Beside the field: the list under it does not cover the button. */}
        <Group gap="sm" align="flex-end" wrap="nowrap">
          <Autocomplete
            flex={1}
            label="Command"
            description={
              listed
                ? 'Commands this access point supports'
                : 'No command list reported; showing common commands'
            }
            placeholder="reboot"
            data={[...new Set(listed ?? commonCommands(agent.technology))]}
            value={command}
            onChange={setCommand}
            maxLength={1024}
            openOnFocus
          />
          <Button
            type="submit"
            px="md"
            leftSection={<IconSend size={14} />}
            disabled={command.trim() === ''}
            aria-label="Send command"
          >
            Send
          </Button>
        </Group>
      </form>
      {agent.state === 'offline' && (
        <Alert color="gray" p="sm">
          The access point is offline. Commands are queued and expire if it does not reconnect in time.
        </Alert>
      )}
      {sent.map((each) => (
        <CommandProgress key={each.key} sent={each} />
      ))}
      <Modal opened={isAsking} onClose={ask.close} title={`Send ${asked} to ${name}?`} centered>
        <Stack>
          <Text size="sm">{disruptionOf(asked)?.toOne}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={ask.close} data-autofocus>
              Cancel
            </Button>
            <Button color="red.9" onClick={() => give(asked)}>
              Send {asked}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Stack>
  )
}
