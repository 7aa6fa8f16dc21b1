import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Mark } from '../frame/mark.tsx'

/** What is around sign-in and its like. */
export function Door({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <main className="door">
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={400} radius="md">
        <Stack gap="lg">
          <Mark />
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
