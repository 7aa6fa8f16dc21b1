import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useManc } from '../app/session.tsx'
import { errorText } from '../ui/error-text.ts'
import { AuthLayout } from './auth-layout.tsx'

export function RecoverPassword() {
  const manc = useManc()
  const [sentTo, setSentTo] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const form = useForm({ initialValues: { username: '' } })
  const recover = form.onSubmit(async ({ username }) => {
    setProblem(undefined)
    try {
      await manc.users.recoverPassword(username.trim())
      setSentTo(username.trim())
    } catch (error) {
      setProblem(errorText(error))
    }
  })
  return (
    <AuthLayout title="Reset password" about="We send you an e-mail with a code to set a new password.">
      {sentTo ? (
        <Stack gap="md">
          <Alert color="brand" role="status">
            If the account {sentTo} exists, an e-mail has been sent. Its code is valid for 10 minutes.
          </Alert>
          <Button component={Link} to="/reset" fullWidth>
            Enter code
          </Button>
        </Stack>
      ) : (
        <form onSubmit={recover}>
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
            <Button type="submit" fullWidth loading={form.submitting}>
              Send e-mail
            </Button>
            <Text size="sm">
              <Anchor component={Link} to="/sign-in">
                Back to sign-in
              </Anchor>
            </Text>
          </Stack>
        </form>
      )}
    </AuthLayout>
  )
}
