import { Badge } from '@mantine/core'
import { maxCounted, useWaitingProposals } from './use-decisions.ts'

/** Number of proposals that wait for a person, in the navigation. */
export function WaitingProposals() {
  const { data: count = 0 } = useWaitingProposals()
  if (count === 0) return null
  const text = count > maxCounted ? `${maxCounted}+` : String(count)
  return (
    <Badge color="brand.6" size="sm" ml="auto" aria-label={`${text} waiting for confirmation`}>
      {text}
    </Badge>
  )
}
