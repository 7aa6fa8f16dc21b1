import { Alert, Code } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { steeringOutcomeOf, steeringText } from './steering-texts.ts'

interface SteeringResultProps {
  /** Undefined until the command has ended. */
  result: unknown
  nameOf?: ((apId: string) => string) | undefined
}

/** What a client did that was asked to move. Nothing for other commands. */
export function SteeringResult({ result, nameOf = (apId) => apId }: SteeringResultProps) {
  const outcome = steeringOutcomeOf(result)
  return (
    // It is there before its text, so that screen readers announce it.
    <div role="status">
      {outcome && (
        <Alert
          mt="sm"
          mb={4}
          p="sm"
          color={outcome.isMoved ? 'teal' : 'yellow'}
          icon={
            outcome.isMoved ? (
              <IconCheck size={18} aria-hidden />
            ) : (
              <IconAlertTriangle size={18} aria-hidden />
            )
          }
        >
          {steeringText(outcome, nameOf)}
        </Alert>
      )}
    </div>
  )
}

/** The report of the agent, as it has sent it. */
export function ReportedResult({ result }: { result: unknown }) {
  if (result === undefined || result === null) return null
  return (
    <Code block style={{ maxHeight: 160, overflow: 'auto' }} tabIndex={0} aria-label="Result">
      {typeof result === 'string' ? result : JSON.stringify(result, null, 2)}
    </Code>
  )
}
