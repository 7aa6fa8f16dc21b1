import { Alert, Button, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { roleTexts } from '../administration/roles.ts'
import { useCurrentUser } from '../app/current-user.ts'
import { useSession } from '../app/session.tsx'
import { passwordProblem } from '../auth/password.ts'
import { announce } from '../ui/announce.tsx'
import { errorText } from '../ui/error-text.ts'
import { Failure, Loading } from '../ui/states.tsx'

/** The user's own account: e-mail, role and password. */
export function Account() {
  return (
    <Stack gap="lg" p="lg" maw={560} mx="auto">
      <Title order={1} size="h4">
        Account
      </Title>
      <Profile />
      <Paper withBorder p="md" component="section" aria-label="Password">
        <ChangePassword />
      </Paper>
    </Stack>
  )
}

function Profile() {
  const { username, isAdmin, isOperator, isPending, error, refetch } = useCurrentUser()
  if (isPending) return <Loading what="your account" />
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  const { label, about } = roleTexts[isAdmin ? 'admin' : isOperator ? 'operator' : 'user']
  return (
    <div>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {username}
      </Text>
      <Text size="sm" c="dimmed">
        {label}. {about}
      </Text>
    </div>
  )
}

function ChangePassword() {
  const session = useSession()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string>()
  const username = session.username ?? ''
  const form = useForm({
    initialValues: { current: '', next: '' },
    validate: {
      next: (next, { current }) =>
        passwordProblem(next) ?? (next === current ? 'Use another password than the current one.' : null),
    },
  })
  const change = form.onSubmit(async ({ current, next }) => {
    setProblem(undefined)
    try {
      await session.manc.users.update(username, { password: next, current_password: current })
    } catch (error) {
      return setProblem(errorText(error))
    }
    form.reset()
    await signInAgain(next)
  })
  // The change ends all sessions of the user, also this one.
  const signInAgain = async (password: string) => {
    try {
      await session.signIn(username, password)
      announce('Password changed. All other sessions are signed out.')
    } catch {
      announce('Password changed. Sign in with the new password.')
      session.signOut()
      await navigate({ to: '/sign-in' })
    }
  }
  return (
    <form onSubmit={change}>
      <Stack gap="md">
        <Title order={2} size="h5">
          Change password
        </Title>
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        {/* For password managers. */}
        <input hidden readOnly autoComplete="username" value={username} />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          {...form.getInputProps('current')}
        />
        <PasswordInput
          label="New password"
          description="At least 8 characters"
          autoComplete="new-password"
          required
          {...form.getInputProps('next')}
        />
        <Text size="sm" c="dimmed">
          All other sessions are signed out.
        </Text>
        <Button type="submit" loading={form.submitting} style={{ alignSelf: 'flex-start' }}>
          Change password
        </Button>
      </Stack>
    </form>
  )
}
