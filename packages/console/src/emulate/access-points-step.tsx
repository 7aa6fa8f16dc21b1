import { Checkbox, Group, NumberInput, SimpleGrid, Stack, Text, useComputedColorScheme } from '@mantine/core'
import type { CSSProperties } from 'react'
import { TechnologyIcon } from '../fleet/technology-icon.tsx'
import { colourOf } from '../ui/theme.ts'
import { defaultRequest, type Kind, kinds, type Wish } from './request.ts'
import { Step } from './step.tsx'

const about: Record<Kind, string> = {
  '5G': 'Outdoor cells of a few hundred metres.',
  WiFi: 'An office floor: many clients, shared channel.',
  LiFi: 'One room: fast, short range, easily blocked.',
}
const maxPerTechnology = 1000

export function AccessPointsStep({
  wish,
  onChange,
  problem,
}: {
  wish: Wish
  onChange: (counts: Wish['counts']) => void
  problem: string | undefined
}) {
  const scheme = useComputedColorScheme('light')
  const set = (kind: Kind, n: number) => onChange({ ...wish.counts, [kind]: n })
  return (
    <Step number={1} title="Access points" about="One technology, or several at the same location.">
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
        {kinds.map((kind) => {
          const n = wish.counts[kind]
          const colour = { '--kind-colour': colourOf(kind, scheme) } as CSSProperties
          return (
            <div key={kind} className="kind" data-chosen={n > 0 || undefined} style={colour}>
              <Stack gap="sm" h="100%" justify="space-between">
                <Checkbox
                  checked={n > 0}
                  onChange={({ currentTarget }) =>
                    set(kind, currentTarget.checked ? defaultRequest.counts[kind] : 0)
                  }
                  label={
                    <Group gap={6} wrap="nowrap" component="span">
                      <span aria-hidden style={{ display: 'flex' }}>
                        <TechnologyIcon technology={kind} />
                      </span>
                      <Text span fw={600}>
                        {kind}
                      </Text>
                    </Group>
                  }
                />
                <Text size="sm" c="dimmed">
                  {about[kind]}
                </Text>
                <NumberInput
                  aria-label={`Number of ${kind} access points`}
                  suffix={n === 1 ? ' access point' : ' access points'}
                  min={0}
                  max={maxPerTechnology}
                  allowDecimal={false}
                  allowNegative={false}
                  value={n}
                  onChange={(value) => set(kind, Number(value) || 0)}
                />
              </Stack>
            </div>
          )
        })}
      </SimpleGrid>
      {problem && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
    </Step>
  )
}
