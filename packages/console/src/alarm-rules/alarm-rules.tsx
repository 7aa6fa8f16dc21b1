import type { AlarmRule } from '@manc/sdk'
import { Badge, Button, Group, Stack, Switch, Text } from '@mantine/core'
import { IconCopy, IconEdit, IconListDetails, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { clearedText, raisedText, scopeText } from '../alarms/alarm-texts.ts'
import { alarmsKey, rulesKey, useAlarmRules } from '../alarms/use-alarms.ts'
import { useCurrentUser } from '../app/current-user.ts'
import { useManc } from '../app/session.tsx'
import { SeverityIcon } from '../events/severity-icon.tsx'
import { announce } from '../ui/announce.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { RecordList, RecordRow } from '../ui/record-list.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { RuleDialog } from './rule-dialog.tsx'
import { bodyOf, formOf } from './rule-form.ts'

type Open = { what: 'create' } | { what: 'edit' | 'copy' | 'disable' | 'delete'; rule: AlarmRule }

/** The rules that raise alarms. Administrators change them. */
export function AlarmRules() {
  const manc = useManc()
  const me = useCurrentUser()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const rules = useAlarmRules()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  // Other rules clear or raise alarms.
  const refresh = async () => {
    await queryClient.invalidateQueries({ queryKey: rulesKey })
    void queryClient.invalidateQueries({ queryKey: alarmsKey })
  }
  const setEnabled = async (rule: AlarmRule, isEnabled: boolean) => {
    // The whole rule is replaced, and the one in the list may be old.
    const current = (await manc.alarms.rules()).find(({ id }) => id === rule.id)
    if (!current) {
      await refresh()
      throw new Error(`${rule.name} was deleted in the meantime. Create it again if it is needed.`)
    }
    await manc.alarms.updateRule(rule.id, { ...bodyOf(formOf(current)), is_enabled: isEnabled })
    await refresh()
  }
  const enabling = useMutation({ mutationFn: (rule: AlarmRule) => setEnabled(rule, true) })
  if (rules.isPending) return <Loading what="rules" />
  if (!rules.data) return <Failure error={rules.error} onRetry={() => void rules.refetch()} />
  const sorted = rules.data.toSorted((a, b) => Number(a.is_builtin) - Number(b.is_builtin))
  const actionsOf = (rule: AlarmRule) => [
    {
      label: 'Show its alarms',
      icon: <IconListDetails size={14} />,
      run: () => void navigate({ to: '/alarms', search: { rule: rule.id, state: 'all' } }),
    },
    ...(me.isAdmin
      ? [
          ...(rule.is_builtin
            ? []
            : [
                {
                  label: 'Edit',
                  icon: <IconEdit size={14} />,
                  run: () => setOpen({ what: 'edit', rule }),
                },
              ]),
          { label: 'Copy', icon: <IconCopy size={14} />, run: () => setOpen({ what: 'copy', rule }) },
          ...(rule.is_builtin
            ? []
            : [
                {
                  label: 'Delete',
                  icon: <IconTrash size={14} />,
                  isDangerous: true,
                  run: () => setOpen({ what: 'delete', rule }),
                },
              ]),
        ]
      : []),
  ]
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" style={{ flex: '1 1 240px' }}>
          A rule raises an alarm for each access point that fulfils its condition. Built-in rules can be
          disabled and copied.
        </Text>
        {me.isAdmin && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen({ what: 'create' })}>
            Create rule
          </Button>
        )}
      </Group>
      {enabling.isError && <Failure error={enabling.error} />}
      <RecordList label="Rules" items={sorted} keyOf={({ id }) => id}>
        {(rule) => (
          <RecordRow
            icon={<SeverityIcon severity={rule.severity} />}
            name={rule.name}
            subtitle={`${raisedText(rule)} · cleared: ${clearedText(rule)}`}
            details={
              <>
                <Text size="xs" c="dimmed">
                  {scopeText(rule)}
                </Text>
                {rule.is_builtin && (
                  <Badge variant="default" tt="none" fw={400}>
                    built-in
                  </Badge>
                )}
                <Switch
                  size="sm"
                  aria-label={`${rule.name} enabled`}
                  checked={rule.is_enabled}
                  disabled={!me.isAdmin || enabling.isPending}
                  onChange={() =>
                    rule.is_enabled ? setOpen({ what: 'disable', rule }) : enabling.mutate(rule)
                  }
                />
              </>
            }
            actions={actionsOf(rule)}
          />
        )}
      </RecordList>
      {open?.what === 'create' && <RuleDialog onClose={close} onChanged={refresh} />}
      {(open?.what === 'edit' || open?.what === 'copy') && (
        <RuleDialog rule={open.rule} isCopy={open.what === 'copy'} onClose={close} onChanged={refresh} />
      )}
      {open?.what === 'disable' && (
        <ConfirmDialog
          title={`Disable ${open.rule.name}?`}
          confirmLabel="Disable"
          onCancel={close}
          onConfirm={async () => {
            await setEnabled(open.rule, false)
            close()
          }}
        >
          Its open alarms are cleared, and it raises no new ones until it is enabled again.
        </ConfirmDialog>
      )}
      {open?.what === 'delete' && (
        <ConfirmDialog
          title={`Delete ${open.rule.name}?`}
          confirmLabel="Delete rule"
          onCancel={close}
          onConfirm={async () => {
            await manc.alarms.removeRule(open.rule.id)
            await refresh()
            announce(`${open.rule.name} deleted.`)
            close()
          }}
        >
          Its open alarms are cleared. Cleared alarms stay in the list until their retention time is over.
        </ConfirmDialog>
      )}
    </Stack>
  )
}
