import type { Agent, ConfigurationVersion } from '@manc/sdk'
import { Badge, Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCurrentUser } from '../app/current-user.ts'
import { Timestamp } from '../format/timestamp.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { parseAccessPointSearch } from './access-point-search.ts'
import { ConfigurationChanges } from './configuration-changes.tsx'
import { type Change, type Configuration, changesBetween } from './configuration-diff.ts'
import { useConfiguration, useConfigurations, useReplaceConfiguration } from './use-configuration.tsx'

/** The stored versions. One of them is compared with the current configuration, and can be restored. */
export function ConfigurationVersions({ agent }: { agent: Agent }) {
  const { tab, version: open } = useSearch({ from: '/inside/access-points/$apId' })
  const versions = useConfigurations(agent.ap_id, tab === 'configuration')
  const show = useShownVersion(agent.ap_id)
  return (
    <Stack gap="sm" component="section" aria-label="Versions">
      <Title order={2} size="h5">
        Versions
      </Title>
      {versions.error && !versions.data && (
        <Failure error={versions.error} onRetry={() => void versions.refetch()} />
      )}
      {versions.isPending && <Loading what="versions" />}
      {versions.data && <VersionTable versions={versions.data} open={open} onShow={show} />}
      {open !== undefined && <Comparison agent={agent} version={open} onClose={() => show(undefined)} />}
    </Stack>
  )
}

function useShownVersion(apId: string) {
  const navigate = useNavigate()
  return (version: number | undefined) =>
    void navigate({
      to: '/access-points/$apId',
      params: { apId },
      search: (before) => parseAccessPointSearch({ ...before, version }),
      replace: true,
      resetScroll: false,
    })
}

interface VersionTableProps {
  versions: readonly ConfigurationVersion[]
  open: number | undefined
  onShow: (version: number) => void
}

function VersionTable({ versions, open, onShow }: VersionTableProps) {
  return (
    <Table.ScrollContainer
      minWidth={360}
      maxHeight={320}
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
    >
      <Table withTableBorder className="figures" aria-label="Versions of the configuration">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Version</Table.Th>
            <Table.Th>Time</Table.Th>
            <Table.Th>Author</Table.Th>
            <Table.Th>Difference</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {versions.map(({ version, at, author, current }) => (
            <Table.Tr key={version}>
              <Table.Td>{version}</Table.Td>
              <Table.Td>
                <Timestamp ms={Date.parse(at)} />
              </Table.Td>
              <Table.Td>{author ?? 'Not recorded'}</Table.Td>
              <Table.Td>
                {current ? (
                  <Badge variant="default">Current</Badge>
                ) : (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-pressed={version === open}
                    aria-label={`Compare version ${version} with the current one`}
                    onClick={() => onShow(version)}
                  >
                    Compare
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Comparison({ agent, version, onClose }: { agent: Agent; version: number; onClose: () => void }) {
  const me = useCurrentUser()
  const { data, error, refetch } = useConfiguration(agent.ap_id, version)
  const [isAsking, question] = useDisclosure()
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading what="version" />
  const changes = changesBetween(agent.configuration, data.configuration)
  return (
    <Stack gap="sm">
      <Text size="sm">What restoring version {version} changes:</Text>
      <ConfigurationChanges changes={changes} />
      <Group>
        {me.isAdmin && (
          <Button size="xs" disabled={changes.length === 0} onClick={question.open}>
            Restore version {version}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={onClose}>
          Close comparison
        </Button>
      </Group>
      {isAsking && (
        <RestoreDialog
          agent={agent}
          version={version}
          configuration={data.configuration}
          changes={changes}
          onClose={(isRestored) => {
            question.close()
            if (isRestored) onClose()
          }}
        />
      )}
    </Stack>
  )
}

interface RestoreDialogProps {
  agent: Agent
  version: number
  configuration: Configuration
  changes: readonly Change[]
  onClose: (isRestored: boolean) => void
}

function RestoreDialog({ agent, version, configuration, changes, onClose }: RestoreDialogProps) {
  const replace = useReplaceConfiguration(agent.ap_id)
  return (
    <ConfirmDialog
      title={`Restore version ${version} of ${agent.ap_id}?`}
      confirmLabel={`Restore version ${version}`}
      onConfirm={async () => {
        await replace(configuration, agent.configuration)
        onClose(true)
      }}
      onCancel={() => onClose(false)}
    >
      {changes.length === 1 ? '1 value changes.' : `${changes.length} values change.`} The restored
      configuration becomes the newest version.
    </ConfirmDialog>
  )
}
