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
  const [problem, setProblem] = useState<string>()
  const form = useForm({
    initialValues: { username: '', password: '' },
    validate: { password: passwordProblem },
  })
  const signUp = form.onSubmit(async ({ username, password }) => {
    setProblem(undefined)
    try {
      await session.manc.users.signUp({ username: username.trim(), password })
      await session.signIn(username.trim(), password)
      await navigate({ to: '/' })
    } catch (error) {
      setProblem(errorText(error))
    }
  })
  if (useSignInOptions()?.signup === 'closed')
    return (
      <AuthLayout title="Sign up" about="Sign-up is closed here. Ask an administrator for an account.">
        <Anchor component={Link} to="/sign-in" size="sm" underline="always">
          Sign in
        </Anchor>
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
