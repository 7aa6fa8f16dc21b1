import { Alert, Checkbox, Group, Radio, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { AccessPointFields } from '../alarms/access-point-fields.tsx'
import { RulesField } from '../alarms/rules-field.tsx'
import { useManc } from '../app/session.tsx'
import { formatDateTime } from '../format/time.ts'
import { TimeField } from '../format/time-field.tsx'
import { announce } from '../ui/announce.tsx'
import { DurationField } from '../ui/duration-field.tsx'
import { withFieldErrors } from '../ui/field-errors.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import {
  bodyOf,
  isForAll,
  type Length,
  newSilence,
  problemsOf,
  type SilenceErrors,
  type SilenceForm,
  silenceFields,
  weekdayLabels,
  weekdays,
} from './silence-form.ts'

interface SilenceDialogProps {
  title: string
  start: Partial<SilenceForm>
  /** Replaces the fields of the scope. */
  scope?: (change: (changes: Partial<SilenceForm>) => void) => ReactNode
  onChanged: () => Promise<unknown>
  onClose: () => void
}

/** Silences alarms once or in weekly windows. */
export function SilenceDialog({ title, start, scope, onChanged, onClose }: SilenceDialogProps) {
  const manc = useManc()
  const [form, setForm] = useState(() => newSilence(start))
  const [errors, setErrors] = useState<SilenceErrors>({})
  const change = (changes: Partial<SilenceForm>) => {
    setForm((before) => ({ ...before, ...changes }))
    setErrors({})
  }
  return (
    <FormDialog
      title={title}
      submitLabel={form.kind === 'once' ? 'Silence' : 'Add window'}
      onClose={onClose}
      isReady={() => {
        const problems = problemsOf(form, Date.now())
        setErrors(problems)
        return Object.keys(problems).length === 0
      }}
      onSubmit={async () => {
        await withFieldErrors(manc.alarms.silence(bodyOf(form, Date.now())), silenceFields, setErrors)
        await onChanged()
        announce(form.kind === 'once' ? 'Alarms silenced.' : 'Maintenance window added.')
        onClose()
      }}
    >
      <Text size="sm" c="dimmed">
        Silenced alarms are raised and cleared as usual, but not notified.
      </Text>
      {scope ? (
        scope(change)
      ) : (
        <>
          <RulesField
            max={20}
            value={form.rule_ids}
            onChange={(ids) => change({ rule_ids: ids })}
            error={errors.rule_ids}
          />
          <AccessPointFields value={form} errors={errors} onChange={change} />
        </>
      )}
      {form.kind === 'once' ? (
        <OnceFields form={form} errors={errors} onChange={change} />
      ) : (
        <WeeklyFields form={form} errors={errors} onChange={change} />
      )}
      <Textarea
        label="Reason"
        required
        autosize
        minRows={2}
        maxLength={1000}
        value={form.comment}
        onChange={({ currentTarget }) => change({ comment: currentTarget.value })}
        error={errors.comment}
      />
      {isForAll(form) && (
        <Alert color="yellow" p="xs" role="status" icon={<IconAlertTriangle size={16} />}>
          All alarms of all access points are silenced.
        </Alert>
      )}
    </FormDialog>
  )
}

interface FieldsProps {
  form: SilenceForm
  errors: SilenceErrors
  onChange: (changes: Partial<SilenceForm>) => void
}

const lengthLabels: Record<Length, string> = {
  '1h': '1 h',
  '4h': '4 h',
  tomorrow: 'Until tomorrow 08:00',
  custom: 'Custom',
}

function OnceFields({ form, errors, onChange }: FieldsProps) {
  const pick = (length: Length) =>
    onChange({
      length,
      ...(length === 'custom' &&
        form.endsAt === '' && { endsAt: formatDateTime(Date.now() + 2 * 3_600_000) }),
    })
  return (
    <Stack gap="sm">
      <Radio.Group label="Duration" value={form.length} onChange={pick}>
        <Group gap="md" pt={6}>
          {Object.entries(lengthLabels).map(([value, label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Group>
      </Radio.Group>
      {form.length === 'custom' && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TimeField
            label="Start, empty: now"
            value={form.startsAt}
            onChange={(startsAt) => onChange({ startsAt })}
            error={errors.startsAt}
          />
          <TimeField
            label="End"
            value={form.endsAt}
            onChange={(endsAt) => onChange({ endsAt })}
            error={errors.endsAt}
          />
        </SimpleGrid>
      )}
      {form.length !== 'custom' && errors.endsAt && (
        <Text size="sm" c="var(--mantine-color-error)">
          {errors.endsAt}
        </Text>
      )}
    </Stack>
  )
}

function WeeklyFields({ form, errors, onChange }: FieldsProps) {
  return (
    <Stack gap="sm">
      <Checkbox.Group
        label="Days"
        required
        value={form.days}
        onChange={(days) => onChange({ days: weekdays.filter((day) => days.includes(day)) })}
        error={errors.days}
      >
        <Group gap="md" pt={6}>
          {weekdays.map((day) => (
            <Checkbox key={day} size="xs" value={day} label={weekdayLabels[day]} />
          ))}
        </Group>
      </Checkbox.Group>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput
          label="Start"
          required
          placeholder="02:00"
          maxLength={5}
          value={form.at}
          onChange={({ currentTarget }) => onChange({ at: currentTarget.value })}
          error={errors.at}
        />
        <DurationField
          label="Length"
          maxS={86_400}
          value={form.durationS}
          onChange={(durationS) => onChange({ durationS })}
          error={errors.durationS}
        />
        <TextInput
          label="Time zone"
          required
          maxLength={64}
          value={form.timeZone}
          onChange={({ currentTarget }) => onChange({ timeZone: currentTarget.value })}
          error={errors.timeZone}
        />
      </SimpleGrid>
      <TextInput
        label="Last day"
        description="Windows that start on this day are included. Empty: no end."
        placeholder="2026-11-28"
        maxLength={10}
        value={form.endsAt}
        onChange={({ currentTarget }) => onChange({ endsAt: currentTarget.value })}
        error={errors.endsAt}
      />
    </Stack>
  )
}
