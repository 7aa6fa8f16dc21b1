import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { inWords, onSessionEnd } from './queries.ts'
import { useSession } from './session.tsx'

/** Asks for the password over the page as it is: nothing that was typed is lost. */
export function SessionEndedDialog() {
  const [isOpen, setOpen] = useState(false)
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const session = useSession()
  const queryClient = useQueryClient()
  useEffect(() => onSessionEnd(() => setOpen(true)), [])
  const signIn = async (event: FormEvent) => {
    event.preventDefault()
    try {
      await session.signIn(session.username ?? '', password)
      setOpen(false)
      setPassword('')
      setProblem(undefined)
      await queryClient.invalidateQueries()
    } catch (error) {
      setProblem(inWords(error))
    }
  }
  return (
    <Modal opened={isOpen} onClose={() => setOpen(false)} title="Your session has ended" centered>
      <form onSubmit={(event) => void signIn(event)}>
        <Stack>
          <Text size="sm">
            Sign in again as <b>{session.username}</b> to go on where you are.
          </Text>
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            data-autofocus
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            error={problem}
          />
          <Group justify="flex-end">
            <Button type="submit">Sign in</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
