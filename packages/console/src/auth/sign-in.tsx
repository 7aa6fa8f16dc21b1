import { Alert, Anchor, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSession } from '../app/session.tsx'
import { errorText } from '../ui/error-text.ts'
import { AuthLayout } from './auth-layout.tsx'
import { useSignInOptions } from './sign-in-options.ts'

/** Sign-in redirects to pages of the console only. */
export const isLocalPath = (to: unknown): to is string => typeof to === 'string' && /^\/(?![/\\])/.test(to)

export function SignIn() {
  const session = useSession()
  const router = useRouter()
  const options = useSignInOptions()
  const { to: requested } = useSearch({ from: '/sign-in' })
  const to = isLocalPath(requested) ? requested : '/'
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const form = useForm({ initialValues: { username: '', password: '' } })
  // After the router has the session. The sign-in page is not kept in the browser history.
  useEffect(() => {
    if (session.username !== undefined) router.history.replace(to)
  }, [session.username, router, to])
  const signIn = form.onSubmit(async ({ username, password }) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await session.signIn(username.trim(), password)
    } catch (error) {
      setProblem(errorText(error))
    } finally {
      setBusy(false)
    }
  })
  return (
    <AuthLayout title="Sign in" about="One controller for 5G, WiFi and LiFi">
      <form onSubmit={signIn}>
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
            autoFocus
            {...form.getInputProps('username')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            {...form.getInputProps('password')}
          />
          <Button type="submit" fullWidth loading={isBusy}>
            Sign in
          </Button>
          <Group justify="space-between">
            {options?.signup === 'closed' ? (
              <span />
            ) : (
              <Anchor component={Link} to="/sign-up" size="sm">
                Sign up
              </Anchor>
            )}
            <Anchor component={Link} to="/recover" size="sm">
              Forgot password?
            </Anchor>
          </Group>
        </Stack>
      </form>
    </AuthLayout>
  )
}
