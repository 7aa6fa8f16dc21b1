import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** One numbered step of the form. */
export function Step({
  number,
  title,
  about,
  children,
}: {
  number: number
  title: string
  about?: string
  children: ReactNode
}) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Stack gap="lg">
        <Group gap="md" wrap="nowrap" align="flex-start">
          <span className="step-number" aria-hidden>
            {number}
          </span>
          <div>
            <Title order={2} size="h5">
              {title}
            </Title>
            {about && (
              <Text size="sm" c="dimmed">
                {about}
              </Text>
            )}
          </div>
        </Group>
        {children}
      </Stack>
    </Paper>
  )
}
