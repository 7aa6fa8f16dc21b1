import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { inWords, onSessionEnd } from './queries.ts'
import { useSession } from './session.tsx'

/** Asks for the password over the page as it is: nothing that was typed is lost. */
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
      setProblem(inWords(error))
    } finally {
      setBusy(false)
    }
  }
  // For whoever has no account any more, or sits at the desk of somebody else.
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
