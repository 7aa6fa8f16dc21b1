import { kpiNames, kpis } from '@manc/contract/kpis'
import {
  Fieldset,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { AccessPointFields } from '../alarms/access-point-fields.tsx'
import { metricLabel, unitOf } from '../alarms/alarm-texts.ts'
import { severities } from '../alarms/alarms-search.ts'
import { DurationField } from '../ui/duration-field.tsx'
import { type RuleErrors, type RuleForm, withMetric } from './rule-form.ts'

interface RuleFieldsProps {
  form: RuleForm
  errors: RuleErrors
  onChange: (changes: Partial<RuleForm>) => void
}

const day = 86_400
const metrics = [
  {
    group: 'KPIs',
    items: kpiNames.map((name) => ({
      value: name as RuleForm['metric'],
      label: kpis[name].unit ? `${kpis[name].label} (${kpis[name].unit})` : kpis[name].label,
    })),
  },
  {
    group: 'Other',
    items: [
      { value: 'presence' as const, label: 'Presence (offline)' },
      { value: 'expression' as const, label: 'Expression (MetricsQL)' },
    ],
  },
]

/** All fields of a rule, in the order in which one thinks of it: what, when, where. */
export function RuleFields({ form, errors, onChange }: RuleFieldsProps) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Name"
          required
          maxLength={100}
          data-autofocus
          value={form.name}
          onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
          error={errors.name}
        />
        <Stack gap={4}>
          <Text size="sm" fw={500}>
            Severity
          </Text>
          <SegmentedControl
            aria-label="Severity"
            value={form.severity}
            onChange={(severity) => onChange({ severity })}
            data={severities.toReversed().map((severity) => ({ value: severity, label: severity }))}
          />
        </Stack>
      </SimpleGrid>
      <ConditionFields form={form} errors={errors} onChange={onChange} />
      <ScopeFields form={form} errors={errors} onChange={onChange} />
    </>
  )
}

function ConditionFields({ form, errors, onChange }: RuleFieldsProps) {
  const { metric } = form
  const suffix = unitOf(metric) && ` ${unitOf(metric)}`
  const label = metricLabel(metric)
  return (
    <Fieldset legend="Condition" p="md">
      <Stack gap="sm">
        <Select
          label="Metric"
          required
          allowDeselect={false}
          data={metrics}
          value={metric}
          onChange={(value) => value && onChange(withMetric(form, value))}
          error={errors.metric}
        />
        {metric === 'expression' && (
          <Textarea
            label="Expression"
            description="MetricsQL; its series have the label ap_id. For example avg_over_time(packet_loss_pct[10m])"
            required
            autosize
            minRows={2}
            maxLength={1000}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={form.expr}
            onChange={({ currentTarget }) => onChange({ expr: currentTarget.value })}
            error={errors.expr}
          />
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="sm">
          {metric !== 'presence' && (
            <Group gap={6} align="flex-start" wrap="nowrap">
              <Select
                label="Raised"
                aria-label="Comparison"
                w={92}
                allowDeselect={false}
                data={[
                  { value: '>=' as const, label: '≥' },
                  { value: '<=' as const, label: '≤' },
                ]}
                value={form.raise_op}
                onChange={(op) => op && onChange({ raise_op: op })}
                error={errors.raise_op}
              />
              <NumberInput
                style={{ flex: 1 }}
                label={label}
                aria-label={`${label} that raises the alarm`}
                required
                suffix={suffix}
                value={form.raise_threshold}
                onChange={(value) => onChange({ raise_threshold: value })}
                error={errors.raise_threshold}
              />
            </Group>
          )}
          <DurationField
            label={metric === 'presence' ? 'Offline for' : 'For'}
            maxS={day}
            value={form.raise_for_s}
            onChange={(seconds) => onChange({ raise_for_s: seconds })}
            error={errors.raise_for_s}
          />
          {metric !== 'presence' && (
            <NumberInput
              label={`Cleared when ${form.raise_op === '<=' ? 'above' : 'below'}`}
              placeholder="The same value"
              suffix={suffix}
              value={form.clear_threshold}
              onChange={(value) => onChange({ clear_threshold: value })}
              error={errors.clear_threshold}
            />
          )}
          <DurationField
            label={metric === 'presence' ? 'Cleared when online for' : 'Cleared after'}
            maxS={day}
            value={form.clear_for_s}
            onChange={(seconds) => onChange({ clear_for_s: seconds })}
            error={errors.clear_for_s}
          />
        </SimpleGrid>
      </Stack>
    </Fieldset>
  )
}

function ScopeFields({ form, errors, onChange }: RuleFieldsProps) {
  return (
    <Fieldset legend="Access points" p="md">
      <Stack gap="sm">
        <AccessPointFields value={form} errors={errors} onChange={onChange} />
      </Stack>
    </Fieldset>
  )
}
