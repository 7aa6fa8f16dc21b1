import type { FleetAgent } from '@manc/sdk'
import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'

interface AccessPointNameProps {
  apId: string
  /** Undefined until it is read, and if it was removed. */
  agent: FleetAgent | undefined
  /** Tab goes from row to row of a grid, not to every link. */
  isInGrid?: boolean
}

/** A link to an access point: its name with the id beside it, or the id alone. */
export function AccessPointName({ apId, agent, isInGrid = false }: AccessPointNameProps) {
  const name = agent?.name ?? null
  return (
    <>
      {isInGrid ? (
        <Link to="/access-points/$apId" params={{ apId }} tabIndex={-1} className="table-link">
          {name ?? apId}
        </Link>
      ) : (
        <Anchor
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
          renderRoot={(props) => <Link to="/access-points/$apId" params={{ apId }} {...props} />}
        >
          {name ?? apId}
        </Anchor>
      )}
      {name !== null && (
        <Text span size="xs" c="dimmed" ml={6}>
          {apId}
        </Text>
      )}
    </>
  )
}
