import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../app/session.tsx'
import { errorText } from '../ui/error-text.ts'
import { AuthLayout } from './auth-layout.tsx'
import { passwordProblem } from './password.ts'
import { useSignInOptions } from './sign-in-options.ts'

export function SignUp() {
  const session = useSession()
  const navigate = useNavigate()
  const options = useSignInOptions()
  const [sentTo, setSentTo] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const form = useForm({
    initialValues: { username: '', password: '' },
    validate: { password: passwordProblem },
  })
  const signUp = form.onSubmit(async ({ username, password }) => {
    setProblem(undefined)
    try {
      await session.manc.users.signUp({ username: username.trim(), password })
      if (options?.signup === 'confirmed') {
        setSentTo(username.trim())
        return
      }
      await session.signIn(username.trim(), password)
      await navigate({ to: '/' })
    } catch (error) {
      setProblem(errorText(error))
    }
  })
  if (options?.signup === 'closed')
    return (
      <AuthLayout title="Sign up" about="Sign-up is closed here. Ask an administrator for an account.">
        <Anchor component={Link} to="/sign-in" size="sm" underline="always">
          Sign in
        </Anchor>
      </AuthLayout>
    )
  if (sentTo !== undefined)
    return (
      <AuthLayout title="Check your e-mail">
        <Stack gap="md">
          <Alert color="brand" role="status">
            We sent an e-mail to {sentTo}. Open its link to confirm your account. Nothing arrived? Look into
            the spam folder, or sign up again.
          </Alert>
          <Button component={Link} to="/confirm" fullWidth>
            Enter code
          </Button>
          <Anchor component="button" type="button" size="sm" ta="left" onClick={() => setSentTo(undefined)}>
            Sign up again
          </Anchor>
        </Stack>
      </AuthLayout>
    )
  return (
    <AuthLayout
      title="Sign up"
      about="New accounts can view the network. An administrator can grant more access."
    >
      <form onSubmit={signUp}>
        <Stack gap="md">
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            {...form.getInputProps('username')}
          />
          <PasswordInput
            label="Password"
            description="At least 8 characters"
            autoComplete="new-password"
            required
            {...form.getInputProps('password')}
          />
          <Button type="submit" fullWidth loading={form.submitting}>
            Sign up
          </Button>
          <Text size="sm">
            Already have an account?{' '}
            <Anchor component={Link} to="/sign-in" underline="always">
              Sign in
            </Anchor>
          </Text>
        </Stack>
      </form>
    </AuthLayout>
  )
}
