import type { Alarm } from '@manc/sdk'
import { Badge } from '@mantine/core'

/** Conditions that change how an alarm behaves. */
export function AlarmFacts({ alarm }: { alarm: Alarm }) {
  return (
    <>
      {alarm.is_flapping && <Fact text="flapping" />}
      {alarm.state === 'open' && alarm.is_inhibited && alarm.metric !== 'presence' && (
        <Fact text="access point offline" />
      )}
      {alarm.assignee !== null && <Fact text={`assigned to ${alarm.assignee}`} />}
    </>
  )
}

const Fact = ({ text }: { text: string }) => (
  <Badge variant="default" radius="sm" tt="none" style={{ flex: '0 1 auto' }}>
    {text}
  </Badge>
)
