import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../app/session.tsx'
import { errorText } from '../ui/error-text.ts'
import { AuthLayout } from './auth-layout.tsx'
import { tokenInAddress } from './token-in-address.ts'

/** Confirms only when the form is sent: programs that check e-mails open every link. */
export function ConfirmSignUp() {
  const session = useSession()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string>()
  const form = useForm({ initialValues: { token: tokenInAddress(), password: '' } })
  const confirm = form.onSubmit(async ({ token, password }) => {
    setProblem(undefined)
    try {
      const { username } = await session.manc.users.confirmSignUp({ token: token.trim(), password })
      await session.signIn(username ?? '', password)
      await navigate({ to: '/' })
    } catch (error) {
      setProblem(errorText(error))
    }
  })
  return (
    <AuthLayout title="Confirm your account" about="Enter the password that you chose when you signed up.">
      <form onSubmit={confirm}>
        <Stack gap="md">
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <TextInput
            label="Code from e-mail"
            required
            autoComplete="one-time-code"
            {...form.getInputProps('token')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            {...form.getInputProps('password')}
          />
          <Button type="submit" fullWidth loading={form.submitting}>
            Confirm and sign in
          </Button>
          <Text size="sm">
            Not your password?{' '}
            <Anchor
              component={Link}
              to="/reset"
              hash={new URLSearchParams({ token: form.values.token.trim() }).toString()}
              underline="always"
            >
              Set another one
            </Anchor>
          </Text>
          <Text size="sm">
            Code expired?{' '}
            <Anchor component={Link} to="/sign-up" underline="always">
              Sign up again
            </Anchor>
          </Text>
        </Stack>
      </form>
    </AuthLayout>
  )
}
