import type { Alarm } from '@manc/sdk'
import { Badge } from '@mantine/core'
import { formatRecentMinute } from '../format/time.ts'

/** Conditions that change how an alarm behaves. */
export function AlarmFacts({ alarm }: { alarm: Alarm }) {
  return (
    <>
      {alarm.state === 'open' && alarm.is_silenced && <Fact text={silencedText(alarm)} />}
      {alarm.is_flapping && <Fact text="flapping" />}
      {alarm.state === 'open' && alarm.is_inhibited && alarm.metric !== 'presence' && (
        <Fact text="access point offline" />
      )}
      {alarm.assignee !== null && <Fact text={`assigned to ${alarm.assignee}`} />}
    </>
  )
}

/** `silenced until 10:30` */
const silencedText = ({ silenced_until: until }: Alarm): string =>
  until === null ? 'silenced' : `silenced until ${formatRecentMinute(Date.parse(until))}`

const Fact = ({ text }: { text: string }) => (
  <Badge variant="default" radius="sm" tt="none" style={{ flex: '0 1 auto' }}>
    {text}
  </Badge>
)
