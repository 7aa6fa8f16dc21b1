import type { DeliveryKind } from '@manc/contract'
import type { AlarmRow } from '../alarms/index.ts'
import type { Plan } from './flush.rules.ts'
import type { Entry, ReceiverRow, RouteRow } from './notifications.types.ts'

/** A receiver of messages, as it is now. */
export interface Target {
  /** Undefined: nothing is sent to it. It is disabled, or its route is. */
  receiver: ReceiverRow | undefined
  /** Seconds until it may get another message; 0: now. */
  waitS: number
}

interface Outbound {
  receiver: ReceiverRow
  kind: DeliveryKind
  about: AlarmRow[]
}

/** What is sent and changed now. */
export interface Outcome {
  messages: Outbound[]
  /** Ids of alarms. */
  notified: string[]
  removed: string[]
  escalated: string[]
  settled: string[]
  /** Seconds until alarms may be sent whose receiver has got too many messages; 0: there are none. */
  waitS: number
}

/** Receivers of the messages of a plan. */
export function receiversOf(plan: Plan, entries: readonly Entry[], route: RouteRow): Set<string> {
  const ids = new Set<string>()
  if (plan.raised.length + plan.cleared.length > 0) ids.add(route.receiverId)
  if (plan.escalated.length > 0 && route.escalateTo !== null) ids.add(route.escalateTo)
  if (plan.cleared.length > 0)
    for (const { state, escalatedTo } of entries)
      if (state === 'cleared' && escalatedTo !== null) ids.add(escalatedTo)
  return ids
}

/**
 * Each message is decided by itself: a receiver that has got too many does not delay those to another one. The end of an
 * alarm that was escalated is sent to both receivers at the same time, because it is not stored after that.
 */
export function outcomeOf(
  plan: Plan,
  entries: readonly Entry[],
  route: RouteRow,
  targets: ReadonlyMap<string, Target>,
): Outcome {
  const { receiverId, escalateTo } = route
  const targetOf = (id: string | null) => (id === null ? undefined : targets.get(id))
  const isFree = (id: string | null) => (targetOf(id)?.waitS ?? 0) === 0
  const escalatedTo = new Map(entries.map((entry) => [entry.alarmId, entry.escalatedTo]))
  const wasEscalatedTo = ({ id }: AlarmRow) => escalatedTo.get(id) ?? null
  const raised = isFree(receiverId) ? plan.raised : []
  const cleared = plan.cleared.filter((alarm) => isFree(receiverId) && isFree(wasEscalatedTo(alarm)))
  const escalated = isFree(escalateTo) ? plan.escalated : []
  const messages = [
    { to: receiverId, kind: 'alarms' as const, about: [...raised, ...cleared] },
    { to: escalateTo, kind: 'escalation' as const, about: escalated },
    ...Array.from(Map.groupBy(cleared, wasEscalatedTo), ([to, about]) => ({
      to,
      kind: 'escalation' as const,
      about,
    })),
  ]
  const isSent = (id: string | null) => targetOf(id)?.receiver !== undefined
  // Of an alarm that was not sent the end is not sent either.
  const [notified, unsent] = isSent(receiverId) ? [idsOf(raised), []] : [[], idsOf(raised)]
  const [sentOn, notSentOn] = isSent(escalateTo) ? [idsOf(escalated), []] : [[], idsOf(escalated)]
  const waits = [...targets.values()].map(({ waitS }) => waitS).filter((waitS) => waitS > 0)
  return {
    messages: messages.flatMap(({ to, kind, about }) => {
      const receiver = targetOf(to)?.receiver
      return receiver && about.length > 0 ? [{ receiver, kind, about }] : []
    }),
    notified,
    removed: [...idsOf(cleared), ...unsent, ...plan.dropped],
    escalated: sentOn,
    settled: [...plan.settled, ...notSentOn],
    waitS: waits.length > 0 ? Math.min(...waits) : 0,
  }
}

const idsOf = (alarms: readonly AlarmRow[]): string[] => alarms.map(({ id }) => id)
