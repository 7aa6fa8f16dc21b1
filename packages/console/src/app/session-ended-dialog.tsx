import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { errorText } from '../ui/error-text.ts'
import { onSessionEnd } from './query-client.ts'
import { useSession } from './session.tsx'

/** Asks for the password in a dialog, so that the page keeps its state. */
export function SessionEndedDialog() {
  const [isOpen, setOpen] = useState(false)
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const session = useSession()
  const queryClient = useQueryClient()
  const router = useRouter()
  useEffect(() => onSessionEnd(() => setOpen(true)), [])
  const signIn = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await session.signIn(session.username ?? '', password)
      setOpen(false)
      setPassword('')
      setProblem(undefined)
      await queryClient.invalidateQueries()
    } catch (error) {
      setProblem(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  // For accounts that no longer exist, and to switch users.
  const leave = () => {
    setOpen(false)
    session.signOut()
    void router.navigate({ to: '/sign-in' })
  }
  return (
    <Modal opened={isOpen} onClose={() => setOpen(false)} title="Session ended" centered>
      <form onSubmit={(event) => void signIn(event)}>
        <Stack>
          <Text size="sm">
            Sign in again as <b>{session.username}</b> to continue.
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
            <Button variant="default" onClick={leave}>
              Sign out
            </Button>
            <Button type="submit" loading={isBusy}>
              Sign in
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
