import type { EnrolmentToken } from '@manc/sdk'
import { Text } from '@mantine/core'
import { IconTicket, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNumber } from '../format/number.ts'
import { formatAge } from '../format/time.ts'
import { useManc } from '../frame/session.tsx'
import { Empty, Failure, Loading, useNow } from '../frame/states.tsx'
import { MakeToken, WithdrawToken } from './enrolment-dialogs.tsx'
import { Entries, EntriesHead, Entry } from './entries.tsx'

type Open = { what: 'make' } | { what: 'withdraw'; token: EnrolmentToken }

const queryKey = ['administration', 'enrolment']

export function Enrolment() {
  const manc = useManc()
  const client = useQueryClient()
  const now = useNow()
  const [words, setWords] = useState('')
  const [open, setOpen] = useState<Open>()
  const tokens = useQuery({
    queryKey,
    queryFn: ({ signal }) => manc.enrolment.list({ signal }),
    // Devices use them while one looks.
    refetchInterval: 5000,
  })
  if (tokens.isPending) return <Loading what="enrolment tokens" />
  if (!tokens.data) return <Failure error={tokens.error} onRetry={() => void tokens.refetch()} />
  const wanted = words.trim().toLowerCase()
  const found = tokens.data
    .filter(({ ap_id_pattern, created_by }) =>
      `${ap_id_pattern} ${created_by}`.toLowerCase().includes(wanted),
    )
    .toReversed()
  const close = () => setOpen(undefined)
  const reread = () => client.invalidateQueries({ queryKey })
  return (
    <>
      <EntriesHead
        what="tokens"
        words={words}
        onWords={setWords}
        add="Create token"
        onAdd={() => setOpen({ what: 'make' })}
      />
      {tokens.data.length === 0 ? (
        <Empty title="No enrolment tokens">
          Agents register themselves with an enrolment token. Create one for each batch of access points.
        </Empty>
      ) : (
        <Entries label="Enrolment tokens" items={found} keyOf={({ id }) => id}>
          {(token) => (
            <Entry
              icon={<IconTicket size={18} stroke={1.6} aria-hidden />}
              name={token.ap_id_pattern}
              about={`Created by ${token.created_by}`}
              facts={
                <Text size="xs" c="dimmed" className="figures">
                  {formatNumber(token.uses)} of {formatNumber(token.max_uses)} used, expires in{' '}
                  {formatAge(Date.parse(token.expires_at) - now)}
                </Text>
              }
              acts={[
                {
                  label: 'Revoke',
                  icon: <IconTrash size={14} />,
                  isDangerous: true,
                  run: () => setOpen({ what: 'withdraw', token }),
                },
              ]}
            />
          )}
        </Entries>
      )}
      {open?.what === 'make' && <MakeToken onClose={close} onChanged={reread} />}
      {open?.what === 'withdraw' && <WithdrawToken token={open.token} onClose={close} onChanged={reread} />}
    </>
  )
}
