import { describe, expect, it } from 'vitest'
import type { AlarmRow } from '../alarms/index.ts'
import type { Plan } from './flush.rules.ts'
import type { Entry, ReceiverRow, RouteRow } from './notifications.types.ts'
import { outcomeOf, receiversOf, type Target } from './outbound.rules.ts'

const alarm = (id: string) => ({ id }) as AlarmRow
const route = { receiverId: 'first', escalateTo: 'chief' } as RouteRow
const open = (id: string): Target => ({ receiver: { id } as ReceiverRow, waitS: 0 })
const full = (id: string): Target => ({ ...open(id), waitS: 20 })
const disabled: Target = { receiver: undefined, waitS: 0 }

const plan: Plan = {
  raised: [alarm('new')],
  cleared: [alarm('ended'), alarm('ended-escalated')],
  escalated: [alarm('old')],
  settled: [],
  dropped: [],
  held: [],
  holdS: 5,
}
const entries: Entry[] = [
  { alarmId: 'new', state: 'waiting', escalatedTo: null },
  { alarmId: 'ended', state: 'cleared', escalatedTo: null },
  { alarmId: 'ended-escalated', state: 'cleared', escalatedTo: 'chief' },
  { alarmId: 'old', state: 'notified', escalatedTo: null },
]

const outcome = (first: Target, chief: Target) => {
  const { messages, ...rest } = outcomeOf(
    plan,
    entries,
    route,
    new Map([
      ['first', first],
      ['chief', chief],
    ]),
  )
  const sent = messages.map(({ receiver, kind, about }) => [receiver.id, kind, about.map(({ id }) => id)])
  return { sent, ...rest }
}

describe('messages of a group', () => {
  it('go to the receiver of the route and to that of the escalation', () => {
    expect(receiversOf(plan, entries, route)).toEqual(new Set(['first', 'chief']))
    expect(outcome(open('first'), open('chief'))).toEqual({
      sent: [
        ['first', 'alarms', ['new', 'ended', 'ended-escalated']],
        ['chief', 'escalation', ['old']],
        ['chief', 'escalation', ['ended-escalated']],
      ],
      notified: ['new'],
      removed: ['ended', 'ended-escalated'],
      escalated: ['old'],
      settled: [],
      waitS: 0,
    })
  })

  it('are escalated while the receiver of the route is at its limit', () => {
    expect(outcome(full('first'), open('chief'))).toMatchObject({
      sent: [['chief', 'escalation', ['old']]],
      notified: [],
      removed: [],
      escalated: ['old'],
      waitS: 20,
    })
  })

  it('are sent while the receiver of the escalation is at its limit, except ends that it has to get too', () => {
    expect(outcome(open('first'), full('chief'))).toMatchObject({
      sent: [['first', 'alarms', ['new', 'ended']]],
      notified: ['new'],
      removed: ['ended'],
      escalated: [],
      waitS: 20,
    })
  })

  it('to a receiver that is disabled are dropped: the alarms do not count as notified or escalated', () => {
    expect(outcome(disabled, disabled)).toEqual({
      sent: [],
      notified: [],
      removed: ['ended', 'ended-escalated', 'new'],
      escalated: [],
      settled: ['old'],
      waitS: 0,
    })
  })
})
