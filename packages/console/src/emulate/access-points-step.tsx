import { Checkbox, Group, NumberInput, SimpleGrid, Stack, Text, useComputedColorScheme } from '@mantine/core'
import type { CSSProperties } from 'react'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { colourOf } from '../ui/theme.ts'
import {
  defaultRequest,
  type EmulatedTechnology,
  type EmulationRequest,
  emulatedTechnologies,
} from './request.ts'
import { Step } from './step.tsx'

const about: Record<EmulatedTechnology, string> = {
  '5G': 'Outdoor cells of a few hundred metres.',
  WiFi: 'An office floor: many clients, shared channel.',
  LiFi: 'One room: fast, short range, easily blocked.',
}
const maxPerTechnology = 1000

export function AccessPointsStep({
  request,
  onChange,
  error,
}: {
  request: EmulationRequest
  onChange: (counts: EmulationRequest['counts']) => void
  error: string | undefined
}) {
  const scheme = useComputedColorScheme('light')
  const set = (technology: EmulatedTechnology, count: number) =>
    onChange({ ...request.counts, [technology]: count })
  return (
    <Step number={2} title="Access points" about="One technology, or several at the same locations.">
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
        {emulatedTechnologies.map((technology) => {
          const count = request.counts[technology]
          const colour = { '--kind-colour': colourOf(technology, scheme) } as CSSProperties
          return (
            <div key={technology} className="kind" data-chosen={count > 0 || undefined} style={colour}>
              <Stack gap="sm" h="100%" justify="space-between">
                <Checkbox
                  checked={count > 0}
                  onChange={({ currentTarget }) =>
                    set(technology, currentTarget.checked ? defaultRequest.counts[technology] : 0)
                  }
                  label={
                    <Group gap={6} wrap="nowrap" component="span">
                      <span aria-hidden style={{ display: 'flex' }}>
                        <TechnologyIcon technology={technology} />
                      </span>
                      <Text span fw={600}>
                        {technology}
                      </Text>
                    </Group>
                  }
                />
                <Text size="sm" c="dimmed">
                  {about[technology]}
                </Text>
                <NumberInput
                  aria-label={`Number of ${technology} access points`}
                  suffix={count === 1 ? ' access point' : ' access points'}
                  min={0}
                  max={maxPerTechnology}
                  allowDecimal={false}
                  allowNegative={false}
                  value={count}
                  onChange={(value) => set(technology, Number(value) || 0)}
                />
              </Stack>
            </div>
          )
        })}
      </SimpleGrid>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
    </Step>
  )
}
