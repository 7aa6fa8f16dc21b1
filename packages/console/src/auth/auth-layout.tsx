import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Logo } from '../app/logo.tsx'

/** The layout of the pages for sign-in, sign-up and password reset. */
export function AuthLayout({
  title,
  about,
  children,
}: {
  title: string
  about?: string
  children: ReactNode
}) {
  return (
    <main className="auth-layout">
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={400} radius="md">
        <Stack gap="lg">
          <Logo />
          <div>
            <Title order={1} size="h3">
              {title}
            </Title>
            {about && (
              <Text c="dimmed" size="sm">
                {about}
              </Text>
            )}
          </div>
          {children}
        </Stack>
      </Paper>
    </main>
  )
}
