import type { Alarm } from '@manc/sdk'
import { Badge } from '@mantine/core'
import { formatRecentMinute } from '../format/time.ts'

/** Conditions that change how an alarm behaves. */
export function AlarmFacts({ alarm }: { alarm: Alarm }) {
  return (
    <>
      {alarm.state === 'open' && alarm.is_silenced && <Fact text={silencedText(alarm)} />}
      {alarm.is_flapping && <Fact text="flapping" />}
      {alarm.inhibited_by !== null && <Fact text={inhibitedTexts[alarm.inhibited_by]} />}
      {alarm.assignee !== null && <Fact text={`assigned to ${alarm.assignee}`} />}
    </>
  )
}

const inhibitedTexts = {
  offline: 'access point offline',
  worse_alarm: 'a worse alarm is open',
} satisfies Record<NonNullable<Alarm['inhibited_by']>, string>

/** `silenced until 10:30` */
const silencedText = ({ silenced_until: until }: Alarm): string =>
  until === null ? 'silenced' : `silenced until ${formatRecentMinute(Date.parse(until))}`

const Fact = ({ text }: { text: string }) => (
  <Badge variant="default" radius="sm" tt="none" style={{ flex: '0 1 auto' }}>
    {text}
  </Badge>
)
