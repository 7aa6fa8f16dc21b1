import type { FleetAgent } from '@manc/sdk'
import { Badge, Text } from '@mantine/core'
import { IconChartLine, IconKey, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useFleet } from '../agents/fleet.ts'
import { Glyph } from '../agents/glyph.tsx'
import { Empty, Failure, Loading } from '../frame/states.tsx'
import { RegisterAgent, RemoveAgent, ReplacePassword } from './agent-dialogs.tsx'
import { Entries, EntriesHead, Entry } from './entries.tsx'

type Open = { what: 'register' } | { what: 'password' | 'remove'; agent: FleetAgent }

export function AgentsToManage() {
  const fleet = useFleet()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [words, setWords] = useState('')
  const [open, setOpen] = useState<Open>()
  if (fleet.isPending) return <Loading what="access points" />
  if (!fleet.data) return <Failure error={fleet.error} onRetry={() => void fleet.refetch()} />
  const wanted = words.trim().toLowerCase()
  const found = fleet.data.filter(({ ap_id, name, technology }) =>
    `${ap_id} ${name ?? ''} ${technology}`.toLowerCase().includes(wanted),
  )
  const close = () => setOpen(undefined)
  const reread = () => client.invalidateQueries({ queryKey: ['fleet'] })
  return (
    <>
      <EntriesHead
        what="access points"
        words={words}
        onWords={setWords}
        add="Register access point"
        onAdd={() => setOpen({ what: 'register' })}
      />
      {fleet.data.length === 0 ? (
        <Empty title="No access points">
          Register one, or create an enrolment token so that agents register themselves.
        </Empty>
      ) : (
        <Entries label="Access points" items={found} keyOf={({ ap_id }) => ap_id}>
          {(agent) => (
            <Entry
              icon={<Glyph technology={agent.technology} state={agent.state} />}
              name={agent.name ?? agent.ap_id}
              about={agent.name ? agent.ap_id : undefined}
              facts={
                <>
                  <Text size="xs" c="dimmed">
                    {agent.technology}
                  </Text>
                  <Badge variant="default" tt="none" fw={400}>
                    {agent.state}
                  </Badge>
                </>
              }
              acts={[
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
        </Entries>
      )}
      {open?.what === 'register' && <RegisterAgent onClose={close} onChanged={reread} />}
      {open?.what === 'password' && <ReplacePassword agent={open.agent} onClose={close} />}
      {open?.what === 'remove' && <RemoveAgent agent={open.agent} onClose={close} onChanged={reread} />}
    </>
  )
}
