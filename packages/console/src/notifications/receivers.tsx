import type { NotificationReceiver } from '@manc/sdk'
import { Badge, Button } from '@mantine/core'
import { IconEdit, IconKey, IconMail, IconPlus, IconSend, IconTrash, IconWebhook } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useManc } from '../app/session.tsx'
import { announce } from '../ui/announce.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { RecordList, RecordRow } from '../ui/record-list.tsx'
import { SecretDialog } from '../ui/secret-dialog.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { ReceiverDialog } from './receiver-dialog.tsx'
import { TestDialog } from './test-dialog.tsx'
import { notificationsKey, useReceivers } from './use-notifications.ts'

type Open =
  | { what: 'add' }
  | { what: 'edit' | 'test' | 'rotate' | 'delete'; receiver: NotificationReceiver }
  | { what: 'secret'; name: string; secret: string }

export function Receivers() {
  const manc = useManc()
  const queryClient = useQueryClient()
  const receivers = useReceivers()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const refresh = () => queryClient.invalidateQueries({ queryKey: notificationsKey })
  if (receivers.isPending) return <Loading what="receivers" />
  if (!receivers.data) return <Failure error={receivers.error} onRetry={() => void receivers.refetch()} />
  /** The secret of a webhook is returned only once. */
  const created = (name: string, secret: string | null) => {
    if (secret !== null) return setOpen({ what: 'secret', name, secret })
    announce(`${name} added.`)
    close()
  }
  return (
    <>
      <Button
        style={{ alignSelf: 'flex-start' }}
        size="xs"
        leftSection={<IconPlus size={14} />}
        onClick={() => setOpen({ what: 'add' })}
      >
        Add receiver
      </Button>
      {receivers.data.length === 0 ? (
        <Empty title="No receivers">Add an e-mail address or a webhook, then a route to it.</Empty>
      ) : (
        <RecordList label="Receivers" items={receivers.data} keyOf={({ id }) => id}>
          {(receiver) => (
            <RecordRow
              icon={
                receiver.type === 'email' ? (
                  <IconMail size={18} stroke={1.6} aria-hidden />
                ) : (
                  <IconWebhook size={18} stroke={1.6} aria-hidden />
                )
              }
              name={receiver.name}
              subtitle={receiver.type === 'email' ? receiver.addresses.join(', ') : receiver.url}
              details={
                <>
                  <Badge variant="default" tt="none" fw={400}>
                    {receiver.type === 'email' ? 'e-mail' : 'webhook'}
                  </Badge>
                  {!receiver.is_enabled && (
                    <Badge variant="default" tt="none">
                      disabled
                    </Badge>
                  )}
                </>
              }
              actions={[
                {
                  label: 'Send test message',
                  icon: <IconSend size={14} />,
                  run: () => setOpen({ what: 'test', receiver }),
                },
                {
                  label: 'Edit',
                  icon: <IconEdit size={14} />,
                  run: () => setOpen({ what: 'edit', receiver }),
                },
                ...(receiver.type === 'webhook'
                  ? [
                      {
                        label: 'Replace secret',
                        icon: <IconKey size={14} />,
                        run: () => setOpen({ what: 'rotate', receiver }),
                      },
                    ]
                  : []),
                {
                  label: 'Delete',
                  icon: <IconTrash size={14} />,
                  isDangerous: true,
                  run: () => setOpen({ what: 'delete', receiver }),
                },
              ]}
            />
          )}
        </RecordList>
      )}
      {open?.what === 'add' && <ReceiverDialog onDone={created} onChanged={refresh} onClose={close} />}
      {open?.what === 'edit' && (
        <ReceiverDialog receiver={open.receiver} onDone={close} onChanged={refresh} onClose={close} />
      )}
      {open?.what === 'test' && <TestDialog receiver={open.receiver} onClose={close} />}
      {open?.what === 'rotate' && (
        <ConfirmDialog
          title={`Replace the secret of ${open.receiver.name}?`}
          confirmLabel="Replace secret"
          onCancel={close}
          onConfirm={async () => {
            const { name, secret } = await manc.notifications.rotateSecret(open.receiver.id)
            setOpen(secret === null ? undefined : { what: 'secret', name, secret })
          }}
        >
          Messages are signed with the new secret at once. The program behind the webhook refuses them until
          it has it.
        </ConfirmDialog>
      )}
      {open?.what === 'delete' && (
        <ConfirmDialog
          title={`Delete ${open.receiver.name}?`}
          confirmLabel="Delete receiver"
          onCancel={close}
          onConfirm={async () => {
            await manc.notifications.removeReceiver(open.receiver.id)
            await refresh()
            announce(`${open.receiver.name} deleted.`)
            close()
          }}
        >
          Messages that are queued for it are not sent. A receiver that a route uses cannot be deleted.
        </ConfirmDialog>
      )}
      {open?.what === 'secret' && (
        <SecretDialog
          title={`Secret of ${open.name}`}
          label="Secret of the signatures"
          secret={open.secret}
          onClose={close}
        />
      )}
    </>
  )
}
