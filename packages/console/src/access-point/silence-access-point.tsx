import type { FleetAgent } from '@manc/sdk'
import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBellOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { alarmsKey } from '../alarms/use-alarms.ts'
import { useCurrentUser } from '../app/current-user.ts'
import { SilenceDialog } from '../silences/silence-dialog.tsx'

/** Silences all alarms of an access point, for an hour unless another time is chosen; for operators. */
export function SilenceAccessPoint({ agent }: { agent: FleetAgent }) {
  const me = useCurrentUser()
  const queryClient = useQueryClient()
  const [isOpen, { open, close }] = useDisclosure()
  const { ap_id: apId, name } = agent
  if (!me.isOperator) return null
  return (
    <>
      <Button size="xs" variant="default" leftSection={<IconBellOff size={14} />} onClick={open}>
        Silence
      </Button>
      {isOpen && (
        <SilenceDialog
          title={`Silence ${name ?? apId}`}
          start={{ ap_ids: [apId] }}
          scope={() => <Text size="sm">All alarms of this access point.</Text>}
          onChanged={() => queryClient.invalidateQueries({ queryKey: alarmsKey })}
          onClose={close}
        />
      )}
    </>
  )
}
