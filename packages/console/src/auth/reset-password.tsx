import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useManc } from '../app/session.tsx'
import { errorText } from '../ui/error-text.ts'
import { AuthLayout } from './auth-layout.tsx'
import { passwordProblem } from './password.ts'
import { tokenInAddress } from './token-in-address.ts'

export function ResetPassword() {
  const manc = useManc()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string>()
  const form = useForm({
    initialValues: { token: tokenInAddress(), new_password: '' },
    validate: { new_password: passwordProblem },
  })
  const reset = form.onSubmit(async (values) => {
    setProblem(undefined)
    try {
      await manc.users.resetPassword({ ...values, token: values.token.trim() })
      notifications.show({ message: 'Password set. Sign in with the new password.' })
      await navigate({ to: '/sign-in' })
    } catch (error) {
      setProblem(`${errorText(error)} If the code has expired, request another e-mail.`)
    }
  })
  return (
    <AuthLayout title="Set new password">
      <form onSubmit={reset}>
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
            label="New password"
            description="At least 8 characters"
            autoComplete="new-password"
            required
            {...form.getInputProps('new_password')}
          />
          <Button type="submit" fullWidth loading={form.submitting}>
            Set password
          </Button>
        </Stack>
      </form>
    </AuthLayout>
  )
}
