import type { Alarm } from '@manc/sdk'
import { Radio, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { alarmsKey } from '../alarms/use-alarms.ts'
import { SilenceDialog } from './silence-dialog.tsx'
import type { SilenceForm } from './silence-form.ts'

type Scope = Pick<SilenceForm, 'rule_ids' | 'technologies' | 'ap_ids'>

/** From the narrowest to the widest. */
function scopesOf({ ap_id: apId, rule, rule_id: ruleId, technology }: Alarm): [string, Scope][] {
  return [
    [`This alarm: ${rule} on ${apId}`, { rule_ids: [ruleId], technologies: [], ap_ids: [apId] }],
    [`This access point: all alarms of ${apId}`, { rule_ids: [], technologies: [], ap_ids: [apId] }],
    [`This rule: ${rule} on all access points`, { rule_ids: [ruleId], technologies: [], ap_ids: [] }],
    [
      `This technology: all alarms of ${technology}`,
      { rule_ids: [], technologies: [technology], ap_ids: [] },
    ],
  ]
}

/** Silences an alarm and, if wanted, more than it. */
export function SilenceAlarm({ alarm, onClose }: { alarm: Alarm; onClose: () => void }) {
  const queryClient = useQueryClient()
  const scopes = scopesOf(alarm)
  const [chosen, setChosen] = useState('0')
  return (
    <SilenceDialog
      title="Silence"
      start={{ ...scopes[0]?.[1] }}
      scope={(change) => (
        <Radio.Group
          label="Silence"
          value={chosen}
          onChange={(value) => {
            setChosen(value)
            change({ ...scopes[Number(value)]?.[1] })
          }}
        >
          <Stack gap={6} pt={6}>
            {scopes.map(([label], index) => (
              <Radio key={label} value={String(index)} label={label} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      onChanged={() => queryClient.invalidateQueries({ queryKey: alarmsKey })}
      onClose={onClose}
    />
  )
}
