import type { AuditAction } from '@manc/sdk'
import { Autocomplete, Button, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useManc } from '../app/session.tsx'
import { actionLabels } from './audit-sentences.ts'

export interface AuditFilterValues {
  actor: string
  action: AuditAction | null
  target: string
}

const actions = Object.entries(actionLabels).map(([value, label]) => ({ value, label }))

interface AuditFilterProps {
  filter: AuditFilterValues
  onChange: (filter: AuditFilterValues) => void
}

/** On a phone the fields are behind a button, so that the first entries are in view. */
export function AuditFilter({ filter, onChange }: AuditFilterProps) {
  const isNarrow = useMediaQuery('(max-width: 36em)')
  const [isOpen, { toggle }] = useDisclosure()
  const fields = <Fields filter={filter} onChange={onChange} />
  if (!isNarrow) return <div style={{ flex: 1 }}>{fields}</div>
  const count = [filter.actor, filter.action ?? '', filter.target].filter((text) => text.trim() !== '').length
  return (
    <Stack gap="sm" w="100%">
      <Button
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={16} />}
        onClick={toggle}
        aria-expanded={isOpen}
      >
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </Button>
      {isOpen && fields}
    </Stack>
  )
}

function Fields({ filter, onChange }: AuditFilterProps) {
  const manc = useManc()
  const { data: names = [] } = useQuery({
    queryKey: ['administration', 'actors'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const users = await Array.fromAsync(manc.users.list({ signal }))
      return users.map(({ username }) => username ?? '')
    },
  })
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
      <Autocomplete
        label="Actor"
        placeholder="Anyone"
        data={names}
        limit={8}
        value={filter.actor}
        onChange={(actor) => onChange({ ...filter, actor })}
      />
      <Select
        label="Action"
        placeholder="Any action"
        clearable
        data={actions}
        value={filter.action}
        onChange={(action) => onChange({ ...filter, action: action as AuditAction | null })}
      />
      <TextInput
        label="Target"
        placeholder="Part of the name"
        value={filter.target}
        onChange={({ currentTarget }) => onChange({ ...filter, target: currentTarget.value })}
      />
    </SimpleGrid>
  )
}
