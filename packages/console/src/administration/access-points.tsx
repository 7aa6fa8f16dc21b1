import type { FleetAgent } from '@manc/sdk'
import { Badge, Text } from '@mantine/core'
import { IconChartLine, IconKey, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useFleet } from '../fleet/fleet.ts'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { RecordList, RecordListHeader, RecordRow } from '../ui/record-list.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { RegisterAgent, RemoveAgent, ReplacePassword } from './access-point-dialogs.tsx'

type Open = { what: 'register' } | { what: 'password' | 'remove'; agent: FleetAgent }

export function AccessPoints() {
  const fleet = useFleet('all')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState<Open>()
  if (fleet.isPending) return <Loading what="access points" />
  if (!fleet.data) return <Failure error={fleet.error} onRetry={() => void fleet.refetch()} />
  const lowerCaseSearch = search.trim().toLowerCase()
  const matches = fleet.data.filter(({ ap_id, name, technology }) =>
    `${ap_id} ${name ?? ''} ${technology}`.toLowerCase().includes(lowerCaseSearch),
  )
  const close = () => setOpen(undefined)
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['fleet'] })
  return (
    <>
      <RecordListHeader
        what="access points"
        search={search}
        onSearch={setSearch}
        add="Register access point"
        onAdd={() => setOpen({ what: 'register' })}
      />
      {fleet.data.length === 0 ? (
        <Empty title="No access points">
          Register one, or create an enrolment token so that agents register themselves.
        </Empty>
      ) : (
        <RecordList label="Access points" items={matches} keyOf={({ ap_id }) => ap_id}>
          {(agent) => (
            <RecordRow
              icon={<TechnologyIcon technology={agent.technology} state={agent.state} />}
              name={agent.name ?? agent.ap_id}
              subtitle={agent.name ? agent.ap_id : undefined}
              details={
                <>
                  <Text size="xs" c="dimmed">
                    {agent.technology}
                  </Text>
                  <Badge variant="default" tt="none" fw={400}>
                    {agent.state}
                  </Badge>
                </>
              }
              actions={[
                {
                  label: 'Open',
                  icon: <IconChartLine size={14} />,
                  run: () => void navigate({ to: '/access-points/$apId', params: { apId: agent.ap_id } }),
                },
                {
                  label: 'Replace password',
                  icon: <IconKey size={14} />,
                  run: () => setOpen({ what: 'password', agent }),
                },
                {
                  label: 'Remove',
                  icon: <IconTrash size={14} />,
                  isDangerous: true,
                  run: () => setOpen({ what: 'remove', agent }),
                },
              ]}
            />
          )}
        </RecordList>
      )}
      {open?.what === 'register' && <RegisterAgent onClose={close} onChanged={refresh} />}
      {open?.what === 'password' && <ReplacePassword agent={open.agent} onClose={close} />}
      {open?.what === 'remove' && <RemoveAgent agent={open.agent} onClose={close} onChanged={refresh} />}
    </>
  )
}
