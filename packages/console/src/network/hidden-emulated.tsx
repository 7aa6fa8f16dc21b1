import type { EmulatedChoice } from '@manc/sdk'
import { Anchor, Text } from '@mantine/core'
import { useFleetSummary } from '../fleet/fleet.ts'
import { formatCount } from '../format/number.ts'

/** How many emulated access points are left out, and how to show them. */
export function HiddenEmulated({ emulated, onShow }: { emulated: EmulatedChoice; onShow: () => void }) {
  const { data } = useFleetSummary(emulated)
  const hidden = data?.hidden_emulated ?? 0
  if (hidden === 0) return null
  const whose = emulated === 'own' ? ' of other users' : ''
  return (
    <Text size="xs" c="dimmed" px="lg" pb="sm" role="status" className="figures">
      {formatCount(hidden, 'emulated access point')}
      {whose} {hidden === 1 ? 'is' : 'are'} hidden.{' '}
      <Anchor component="button" type="button" size="xs" onClick={onShow}>
        Show
      </Anchor>
    </Text>
  )
}
