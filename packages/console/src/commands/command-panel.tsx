import type { FleetAgent } from '@manc/sdk'
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconHelpHexagon, IconSend } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { WhatIf } from '../experiments/what-if.tsx'
import { CommandInput } from './command-input.tsx'
import { CommandProgress } from './command-progress.tsx'
import { commonCommands, disruptionOf, listedCommands } from './command-texts.ts'
import { useCommands } from './use-commands.ts'

interface CommandPanelProps {
  agent: FleetAgent
  configuration: Record<string, unknown>
}

/** Sends a command to the access point and shows its progress; for operators. */
export function CommandPanel({ agent, configuration }: CommandPanelProps) {
  const { sent, send } = useCommands(agent.ap_id)
  const [command, setCommand] = useState('')
  // Kept while the dialog fades out.
  const [unconfirmed, setUnconfirmed] = useState('')
  const [isConfirming, confirmation] = useDisclosure()
  /** The command of which the effect is predicted. */
  const [asked, setAsked] = useState<string>()
  const listed = listedCommands(configuration)
  const name = agent.name ?? agent.ap_id
  const sendNow = (text: string) => {
    confirmation.close()
    setCommand('')
    send(text)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const text = command.trim()
    if (text === '') return
    if (!disruptionOf(text)) return sendNow(text)
    setUnconfirmed(text)
    confirmation.open()
  }
  return (
    <Stack gap="md">
      <form onSubmit={submit}>
        {/* The button is beside the field, so that the list of commands does not cover it. */}
        <Group gap="sm" align="flex-end" wrap="nowrap">
          <CommandInput
            flex={1}
            description={listed ? 'Supported commands' : 'No command list reported; showing common commands'}
            placeholder="reboot"
            commands={listed ?? commonCommands(agent.technology)}
            value={command}
            onChange={setCommand}
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
        {simulatedTechnologies.has(agent.technology) && (
          <Button
            mt="sm"
            size="xs"
            variant="default"
            leftSection={<IconHelpHexagon size={14} />}
            disabled={command.trim() === ''}
            onClick={() => setAsked(command.trim())}
          >
            What if
          </Button>
        )}
      </form>
      {agent.state === 'offline' && (
        <Alert color="gray" p="sm">
          The access point is offline. Commands are queued and expire if it does not reconnect in time.
        </Alert>
      )}
      {sent.map((each) => (
        <CommandProgress key={each.key} sent={each} />
      ))}
      <Modal
        opened={isConfirming}
        onClose={confirmation.close}
        title={`Send ${unconfirmed} to ${name}?`}
        centered
      >
        <Stack>
          <Text size="sm">{disruptionOf(unconfirmed)?.toOne}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={confirmation.close} data-autofocus>
              Cancel
            </Button>
            <Button color="red.9" onClick={() => sendNow(unconfirmed)}>
              Send {unconfirmed}
            </Button>
          </Group>
        </Stack>
      </Modal>
      {asked !== undefined && (
        <WhatIf
          agent={agent}
          command={asked}
          warning={disruptionOf(asked)?.toOne}
          onClose={() => setAsked(undefined)}
          onApply={() => {
            setAsked(undefined)
            sendNow(asked)
          }}
        />
      )}
    </Stack>
  )
}

/** The technologies that can be simulated. */
const simulatedTechnologies: ReadonlySet<string> = new Set(['5G', 'WiFi', 'LiFi'])
