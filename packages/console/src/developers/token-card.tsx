import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useSession } from '../app/session.tsx'
import { formatAge } from '../format/time.ts'
import { CopyField } from '../ui/snippet.tsx'
import { useNow } from '../ui/states.tsx'

/** The access token of the user, in the page only while it is shown. */
export function TokenCard() {
  const [isShown, { toggle }] = useDisclosure()
  const session = useSession()
  const now = useNow()
  const token = session.token()
  return (
    <Paper withBorder p="lg">
      <Stack gap="md">
        <div>
          <Title order={2} size="h5">
            Access token
          </Title>
          <Text size="sm" c="dimmed">
            Grants your permissions until it expires. Paste it under Authorize in the API reference, or set
            $TOKEN to it.
          </Text>
        </div>
        <Group justify="space-between">
          <Text size="sm" className="figures">
            {token ? `Expires in ${formatAge(token.expiresAt - now)}` : 'Expired. Sign in again.'}
          </Text>
          <Button
            variant="default"
            leftSection={isShown ? <IconEyeOff size={16} /> : <IconEye size={16} />}
            onClick={toggle}
            aria-expanded={isShown}
          >
            {isShown ? 'Hide token' : 'Show token'}
          </Button>
        </Group>
        {isShown && token && <CopyField label="Bearer token" text={token.accessToken} />}
      </Stack>
    </Paper>
  )
}
