import type { EnrolmentToken } from '@manc/sdk'
import { Text } from '@mantine/core'
import { IconTicket, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useManc } from '../app/session.tsx'
import { formatNumber } from '../format/number.ts'
import { formatAge } from '../format/time.ts'
import { RecordList, RecordListHeader, RecordRow } from '../ui/record-list.tsx'
import { Empty, Failure, Loading, useNow } from '../ui/states.tsx'
import { CreateToken, RevokeToken } from './enrolment-dialogs.tsx'

type Open = { what: 'create' } | { what: 'revoke'; token: EnrolmentToken }

const queryKey = ['administration', 'enrolment']

export function Enrolment() {
  const manc = useManc()
  const queryClient = useQueryClient()
  const now = useNow()
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState<Open>()
  const tokens = useQuery({
    queryKey,
    queryFn: ({ signal }) => manc.enrolment.list({ signal }),
    // Agents use tokens while the list is open.
    refetchInterval: 5000,
  })
  if (tokens.isPending) return <Loading what="enrolment tokens" />
  if (!tokens.data) return <Failure error={tokens.error} onRetry={() => void tokens.refetch()} />
  const lowerCaseSearch = search.trim().toLowerCase()
  const matches = tokens.data
    .filter(({ ap_id_pattern, created_by }) =>
      `${ap_id_pattern} ${created_by}`.toLowerCase().includes(lowerCaseSearch),
    )
    .toReversed()
  const close = () => setOpen(undefined)
  const refresh = () => queryClient.invalidateQueries({ queryKey })
  return (
    <>
      <RecordListHeader
        what="tokens"
        search={search}
        onSearch={setSearch}
        add="Create token"
        onAdd={() => setOpen({ what: 'create' })}
      />
      {tokens.data.length === 0 ? (
        <Empty title="No enrolment tokens">
          Agents register themselves with an enrolment token. Create one for each batch of access points.
        </Empty>
      ) : (
        <RecordList label="Enrolment tokens" items={matches} keyOf={({ id }) => id}>
          {(token) => (
            <RecordRow
              icon={<IconTicket size={18} stroke={1.6} aria-hidden />}
              name={token.ap_id_pattern}
              subtitle={`Created by ${token.created_by}`}
              details={
                <Text size="xs" c="dimmed" className="figures">
                  {formatNumber(token.uses)} of {formatNumber(token.max_uses)} used, expires in{' '}
                  {formatAge(Date.parse(token.expires_at) - now)}
                </Text>
              }
              actions={[
                {
                  label: 'Revoke',
                  icon: <IconTrash size={14} />,
                  isDangerous: true,
                  run: () => setOpen({ what: 'revoke', token }),
                },
              ]}
            />
          )}
        </RecordList>
      )}
      {open?.what === 'create' && <CreateToken onClose={close} onChanged={refresh} />}
      {open?.what === 'revoke' && <RevokeToken token={open.token} onClose={close} onChanged={refresh} />}
    </>
  )
}
