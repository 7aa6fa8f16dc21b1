import type { Alarm } from '@manc/sdk'
import { Button, Group, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconBellOff, IconCheck, IconUserPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCurrentUser } from '../app/current-user.ts'
import { useManc } from '../app/session.tsx'
import { SilenceAlarm } from '../silences/silence-alarm.tsx'
import { errorText } from '../ui/error-text.ts'
import { AcknowledgeDialog } from './acknowledge-dialog.tsx'
import { AssignDialog } from './assign-dialog.tsx'
import { alarmsKey } from './use-alarms.ts'

/** What operators do with an open alarm. A dialog that is in use stays when the alarm is cleared. */
export function AlarmActions({ alarm }: { alarm: Alarm }) {
  const manc = useManc()
  const me = useCurrentUser()
  const queryClient = useQueryClient()
  const [open, setOpen] = useState<'acknowledge' | 'assign' | 'silence'>()
  const refresh = () => queryClient.invalidateQueries({ queryKey: alarmsKey })
  const assign = async (username: string | null) => {
    await manc.alarms.assign(alarm.id, { username })
    await refresh()
  }
  const assignment = useMutation({
    mutationFn: assign,
    onError: (error) => notifications.show({ color: 'red', message: errorText(error), autoClose: false }),
  })
  const isMine = alarm.assignee?.toLowerCase() === me.username?.toLowerCase()
  const close = () => setOpen(undefined)
  return (
    <>
      {alarm.state === 'open' && (
        <Group gap="sm">
          <Button
            size="xs"
            variant={alarm.acknowledged_by === null ? 'filled' : 'default'}
            leftSection={<IconCheck size={14} />}
            onClick={() => setOpen('acknowledge')}
          >
            {alarm.acknowledged_by === null ? 'Acknowledge' : 'Change comment'}
          </Button>
          <Menu position="bottom-end" withinPortal>
            <Menu.Target>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconUserPlus size={14} />}
                loading={assignment.isPending}
              >
                Assign
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {!isMine && (
                <Menu.Item onClick={() => assignment.mutate(me.username ?? null)}>Assign to me</Menu.Item>
              )}
              <Menu.Item onClick={() => setOpen('assign')}>Assign to another user</Menu.Item>
              {alarm.assignee !== null && (
                <Menu.Item onClick={() => assignment.mutate(null)}>Remove assignment</Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconBellOff size={14} />}
            onClick={() => setOpen('silence')}
          >
            Silence
          </Button>
        </Group>
      )}
      {open === 'silence' && <SilenceAlarm alarm={alarm} onClose={close} />}
      {open === 'acknowledge' && (
        <AcknowledgeDialog alarms={[alarm]} onDone={() => void refresh()} onClose={close} />
      )}
      {open === 'assign' && <AssignDialog alarm={alarm} onAssign={assign} onClose={close} />}
    </>
  )
}
