import type { Scenario } from '@manc/sdk'
import {
  Chip,
  Group,
  NativeSelect,
  NumberInput,
  Radio,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import type { EmulationRequest, FormErrors } from './request.ts'
import { pathOf, scenarios, scenarioTexts } from './scenarios.ts'
import { Step } from './step.tsx'

const presets = [
  { label: '10 min', seconds: 600 },
  { label: '30 min', seconds: 1800 },
  { label: '2 h', seconds: 7200 },
  { label: '8 h', seconds: 28_800 },
  { label: '24 h', seconds: 86_400 },
]
const units = { s: 1, min: 60, h: 3600 } as const
type Unit = keyof typeof units

interface ScenarioStepProps {
  request: EmulationRequest
  onChange: (changes: Partial<EmulationRequest>) => void
  errors: FormErrors
}

export function ScenarioStep({ request, onChange, errors: { fields } }: ScenarioStepProps) {
  return (
    <Step number={3} title="Scenario and duration">
      <Radio.Group
        label="Scenario"
        value={request.scenario}
        onChange={(scenario) => onChange({ scenario })}
        error={fields['scenario']}
      >
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md" mt={4}>
          {scenarios.map((scenario) => (
            <ScenarioCard key={scenario} scenario={scenario} />
          ))}
        </SimpleGrid>
      </Radio.Group>
      <Duration
        seconds={request.durationS}
        onChange={(durationS) => onChange({ durationS })}
        error={fields['duration']}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="lg">
        <NumberInput
          label="Clients"
          description="Clients around each access point."
          min={1}
          allowDecimal={false}
          allowNegative={false}
          value={request.clients}
          onChange={(value) => onChange({ clients: Number(value) || 0 })}
          error={fields['num_devices']}
        />
        <TextInput
          label="Seed"
          description="Optional. The same seed repeats the same positions and behaviour."
          placeholder="Random"
          maxLength={128}
          value={request.seed}
          onChange={({ currentTarget }) => onChange({ seed: currentTarget.value })}
          error={fields['seed']}
        />
      </SimpleGrid>
    </Step>
  )
}

function ScenarioCard({ scenario }: { scenario: Scenario }) {
  const { title, about } = scenarioTexts[scenario]
  return (
    <Radio.Card value={scenario} className="scenario">
      <Stack gap={6}>
        <svg viewBox="0 0 160 36" preserveAspectRatio="none" aria-hidden>
          <path d={`${pathOf(scenario, 160, 36)}L160 36L0 36Z`} fill="currentColor" opacity={0.1} />
          <path
            d={pathOf(scenario, 160, 36)}
            fill="none"
            stroke="currentColor"
            strokeWidth={1.5}
            vectorEffect="non-scaling-stroke"
            strokeLinejoin="round"
          />
        </svg>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      </Stack>
    </Radio.Card>
  )
}

function Duration(props: {
  seconds: number
  onChange: (seconds: number) => void
  error: string | undefined
}) {
  const { seconds, onChange, error } = props
  const [unit, setUnit] = useState<Unit>('min')
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600} id="duration">
        Duration
      </Text>
      <Group gap="md" align="flex-start">
        <Chip.Group value={String(seconds)} onChange={(value) => onChange(Number(value))}>
          <Group gap={6} role="group" aria-labelledby="duration">
            {presets.map((preset) => (
              <Chip key={preset.seconds} value={String(preset.seconds)} size="sm" variant="outline">
                {preset.label}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <Group gap={6} wrap="nowrap" align="flex-start">
          <NumberInput
            aria-label="Duration"
            w={110}
            min={1}
            allowNegative={false}
            decimalScale={2}
            value={seconds / units[unit]}
            onChange={(value) => onChange(Math.round((Number(value) || 0) * units[unit]))}
            error={error}
          />
          <NativeSelect
            aria-label="Duration unit"
            value={unit}
            onChange={({ currentTarget }) => setUnit(currentTarget.value as Unit)}
            data={[
              { value: 's', label: 'seconds' },
              { value: 'min', label: 'minutes' },
              { value: 'h', label: 'hours' },
            ]}
          />
        </Group>
      </Group>
    </Stack>
  )
}
