import type { NotificationReceiver, NotificationRoute } from '@manc/sdk'
import { Checkbox, Fieldset, Group, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { AccessPointFields } from '../alarms/access-point-fields.tsx'
import { severities } from '../alarms/alarms-search.ts'
import { RulesField } from '../alarms/rules-field.tsx'
import { useManc } from '../app/session.tsx'
import { announce } from '../ui/announce.tsx'
import { DurationField } from '../ui/duration-field.tsx'
import { withFieldErrors } from '../ui/field-errors.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import {
  bodyOf,
  formOf,
  groupLabels,
  problemsOf,
  type RouteErrors,
  type RouteForm,
  routeFields,
} from './route-form.ts'

interface RouteDialogProps {
  /** The route to change; without it, a new one. */
  route?: NotificationRoute
  receivers: readonly NotificationReceiver[]
  onChanged: () => Promise<unknown>
  onClose: () => void
}

const day = 86_400
const groups = Object.entries(groupLabels).map(([value, label]) => ({
  value: value as keyof typeof groupLabels,
  label,
}))

export function RouteDialog({ route, receivers, onChanged, onClose }: RouteDialogProps) {
  const manc = useManc()
  const [form, setForm] = useState(() => formOf(route))
  const [errors, setErrors] = useState<RouteErrors>({})
  const change = (changes: Partial<RouteForm>) => {
    setForm((before) => ({ ...before, ...changes }))
    setErrors({})
  }
  const choices = receivers.map(({ id, name }) => ({ value: id, label: name }))
  const fields = { form, errors, onChange: change, choices }
  return (
    <FormDialog
      title={route ? 'Edit route' : 'Add route'}
      submitLabel={route ? 'Save' : 'Add'}
      size="xl"
      onClose={onClose}
      isReady={() => {
        const problems = problemsOf(form)
        setErrors(problems)
        return Object.keys(problems).length === 0
      }}
      onSubmit={async () => {
        const body = bodyOf(form)
        const { notifications } = manc
        const request = route ? notifications.updateRoute(route.id, body) : notifications.createRoute(body)
        await withFieldErrors(request, routeFields, setErrors)
        await onChanged()
        announce(route ? `${body.name} saved.` : `${body.name} added.`)
        onClose()
      }}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Name"
          required
          maxLength={100}
          data-autofocus
          value={form.name}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          error={errors.name}
        />
        <Select
          label="Receiver"
          required
          allowDeselect={false}
          data={choices}
          value={form.receiver === '' ? null : form.receiver}
          onChange={(receiver) => receiver && change({ receiver })}
          error={errors.receiver}
        />
      </SimpleGrid>
      <AlarmFields {...fields} />
      <MessageFields {...fields} />
      <EscalationFields {...fields} />
      <QuietFields {...fields} />
      {route && (
        <Switch
          label="Enabled"
          checked={form.isEnabled}
          onChange={({ currentTarget }) => change({ isEnabled: currentTarget.checked })}
        />
      )}
    </FormDialog>
  )
}

interface FieldsProps {
  form: RouteForm
  errors: RouteErrors
  onChange: (changes: Partial<RouteForm>) => void
  choices: { value: string; label: string }[]
}

function AlarmFields({ form, errors, onChange }: FieldsProps) {
  return (
    <Fieldset legend="Alarms" p="md">
      <Stack gap="sm">
        <SeverityField
          label="Severities"
          description="None selected: all."
          value={form.severities}
          onChange={(chosen) => onChange({ severities: chosen })}
          error={errors.severities}
        />
        <RulesField
          max={100}
          value={form.rule_ids}
          onChange={(ids) => onChange({ rule_ids: ids })}
          error={errors.rule_ids}
        />
        <AccessPointFields value={form} errors={errors} onChange={onChange} />
        <Checkbox
          size="xs"
          label="Also of emulated access points"
          checked={form.emulated === 'all'}
          onChange={({ currentTarget }) => onChange({ emulated: currentTarget.checked ? 'all' : 'none' })}
        />
      </Stack>
    </Fieldset>
  )
}

function MessageFields({ form, errors, onChange }: FieldsProps) {
  return (
    <Fieldset legend="Messages" p="md">
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <Select
            label="One message for each"
            allowDeselect={false}
            data={groups}
            value={form.groupBy}
            onChange={(groupBy) => groupBy && onChange({ groupBy })}
            error={errors.groupBy}
          />
          <DurationField
            label="Collect alarms for"
            maxS={3600}
            value={form.waitS}
            onChange={(waitS) => onChange({ waitS })}
            error={errors.waitS}
          />
          <DurationField
            label="At most one every"
            maxS={day}
            value={form.intervalS}
            onChange={(intervalS) => onChange({ intervalS })}
            error={errors.intervalS}
          />
        </SimpleGrid>
        <Checkbox
          size="xs"
          label="Also when alarms are cleared"
          checked={form.isClearedNotified}
          onChange={({ currentTarget }) => onChange({ isClearedNotified: currentTarget.checked })}
        />
      </Stack>
    </Fieldset>
  )
}

function EscalationFields({ form, errors, onChange, choices }: FieldsProps) {
  return (
    <Stack gap="sm">
      <Switch
        label="Escalate alarms that are not acknowledged"
        checked={form.hasEscalation}
        onChange={({ currentTarget }) => onChange({ hasEscalation: currentTarget.checked })}
      />
      {form.hasEscalation && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <DurationField
            label="After"
            maxS={7 * day}
            value={form.escalateAfterS}
            onChange={(escalateAfterS) => onChange({ escalateAfterS })}
            error={errors.escalateAfterS}
          />
          <Select
            label="To"
            required
            allowDeselect={false}
            data={choices}
            value={form.escalateTo === '' ? null : form.escalateTo}
            onChange={(escalateTo) => escalateTo && onChange({ escalateTo })}
            error={errors.escalateTo}
          />
        </SimpleGrid>
      )}
    </Stack>
  )
}

function QuietFields({ form, errors, onChange }: FieldsProps) {
  const text = (name: 'quietFrom' | 'quietTo' | 'timeZone', label: string, maxLength: number) => (
    <TextInput
      label={label}
      required
      maxLength={maxLength}
      value={form[name]}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
      error={errors[name]}
    />
  )
  return (
    <Stack gap="sm">
      <Switch
        label="Quiet hours"
        checked={form.hasQuietHours}
        onChange={({ currentTarget }) => onChange({ hasQuietHours: currentTarget.checked })}
      />
      {form.hasQuietHours && (
        <>
          <SimpleGrid cols={{ base: 1, sm: 3 }}>
            {text('quietFrom', 'Quiet from', 5)}
            {text('quietTo', 'Quiet to', 5)}
            {text('timeZone', 'Time zone', 64)}
          </SimpleGrid>
          <SeverityField
            label="Severities sent in quiet hours"
            value={form.quietExcept}
            onChange={(quietExcept) => onChange({ quietExcept })}
            error={errors.quietExcept}
          />
        </>
      )}
    </Stack>
  )
}

interface SeverityFieldProps {
  label: string
  description?: string
  value: RouteForm['severities']
  onChange: (chosen: RouteForm['severities']) => void
  error?: string | undefined
}

function SeverityField({ label, description, value, onChange, error }: SeverityFieldProps) {
  return (
    <Checkbox.Group
      label={label}
      description={description}
      value={value}
      onChange={(names) => onChange(severities.filter((each) => names.includes(each)))}
      error={error}
    >
      <Group gap="md" pt={6}>
        {severities.map((severity) => (
          <Checkbox key={severity} size="xs" value={severity} label={severity} />
        ))}
      </Group>
    </Checkbox.Group>
  )
}
