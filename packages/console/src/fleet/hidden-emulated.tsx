import type { EmulatedChoice } from '@manc/sdk'
import { Anchor, Text, type TextProps } from '@mantine/core'
import { formatCount } from '../format/number.ts'
import { useFleetSummary } from './fleet.ts'

interface HiddenEmulatedProps extends TextProps {
  emulated: EmulatedChoice
  /** `hidden` */
  state: string
  /** `Show` */
  action: string
  onInclude: () => void
}

/** How many emulated access points of the network are left out, and a button to include them. */
export function HiddenEmulated({ emulated, state, action, onInclude, ...text }: HiddenEmulatedProps) {
  const { data } = useFleetSummary(emulated)
  const hidden = data?.hidden_emulated ?? 0
  if (hidden === 0) return null
  const whose = emulated === 'own' ? ' of other users' : ''
  return (
    <Text size="xs" c="dimmed" role="status" className="figures" {...text}>
      {formatCount(hidden, 'emulated access point')}
      {whose} {hidden === 1 ? 'is' : 'are'} {state}.{' '}
      <Anchor component="button" type="button" size="xs" onClick={onInclude}>
        {action}
      </Anchor>
    </Text>
  )
}
