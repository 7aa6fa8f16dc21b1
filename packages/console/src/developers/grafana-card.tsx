import { Anchor, Paper, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCurrentUser } from '../app/current-user.ts'
import { CopyField } from '../ui/snippet.tsx'
import { dataSourceUrl, queries } from './grafana.ts'

/** What Grafana and other clients of Prometheus need: address, credentials and queries. */
export function GrafanaCard() {
  const me = useCurrentUser()
  return (
    <Paper withBorder p="lg" component="section" aria-label="Grafana and Prometheus">
      <Stack gap="md">
        <div>
          <Title order={2} size="h5">
            Grafana and Prometheus
          </Title>
          <Text size="sm" c="dimmed">
            Add a data source of type Prometheus with this URL. For basic authentication, enter the name and
            the API key of an application with the scopes metrics:read and history:read. It reads the access
            points that its permissions cover.{' '}
            {me.isAdmin ? (
              <Anchor
                size="sm"
                underline="always"
                renderRoot={(props) => <Link to="/administration/apps" {...props} />}
              >
                Register an application
              </Anchor>
            ) : (
              'An administrator registers it.'
            )}
          </Text>
        </div>
        <CopyField label="Data source URL" text={dataSourceUrl(location.origin)} />
        {queries.map(({ label, query }) => (
          <CopyField key={label} label={label} text={query} />
        ))}
      </Stack>
    </Paper>
  )
}
