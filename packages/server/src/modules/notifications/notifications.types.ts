import type {
  AlarmSeverity,
  DeliveryKind,
  DeliveryStatus,
  Grouping,
  QuietHours,
  ReceiverType,
  Technology,
} from '@manc/contract'

export interface ReceiverRow {
  id: string
  name: string
  type: ReceiverType
  addresses: string[]
  url: string | null
  /** Encrypted with the data key. */
  secretSealed: Buffer | null
  isEnabled: boolean
  updatedAt: Date
  updatedBy: string
}

export type NewReceiver = Omit<ReceiverRow, 'updatedAt'>

export interface RouteRow {
  id: string
  name: string
  receiverId: string
  severities: AlarmSeverity[]
  technologies: Technology[]
  apIds: string[]
  ruleIds: string[]
  emulated: 'none' | 'all'
  groupBy: Grouping
  groupWaitS: number
  groupIntervalS: number
  notifyCleared: boolean
  escalateAfterS: number | null
  escalateTo: string | null
  quietHours: QuietHours | null
  isEnabled: boolean
  updatedAt: Date
  updatedBy: string
}

export type NewRoute = Omit<RouteRow, 'updatedAt'>

/** A group of alarms of a route, which share messages. */
export interface GroupId {
  routeId: string
  groupKey: string
}

/** An alarm of a route. */
export interface Entry {
  alarmId: string
  state: 'waiting' | 'notified' | 'cleared'
  /** The receiver to which it was escalated. */
  escalatedTo: string | null
}

/** As stored with a delivery, in the format of the API. */
export interface ReportedAlarm {
  id: string
  state: 'open' | 'cleared'
  rule_id: string
  rule: string
  severity: AlarmSeverity
  ap_id: string
  technology: Technology
  value: number | null
  is_flapping: boolean
  raised_at: string
  cleared_at: string | null
}

/** What a message says, whatever the type of its receiver. */
export interface Content {
  /** Of all alarms of the group. */
  groupLabels: Record<string, string>
  /** Of all alarms of the message, also those that are not listed. */
  commonLabels: Record<string, string>
  /** How many of each severity are open. */
  severities: Partial<Record<AlarmSeverity, number>>
  /** The first ones. */
  alarms: ReportedAlarm[]
}

export interface NewDelivery {
  id: string
  kind: DeliveryKind
  receiver: Pick<ReceiverRow, 'id' | 'name' | 'type'>
  route: Pick<RouteRow, 'id' | 'name'> | null
  groupKey: string | null
  subject: string
  raised: number
  cleared: number
  content: Content
}

export interface DeliveryRow {
  id: string
  kind: DeliveryKind
  receiverId: string
  receiverName: string
  type: ReceiverType
  routeId: string | null
  routeName: string | null
  groupKey: string | null
  subject: string
  raised: number
  cleared: number
  status: DeliveryStatus
  attempts: number
  createdAt: Date
  nextAttemptAt: Date | null
  sentAt: Date | null
  statusCode: number | null
  error: string | null
}

export type DeliveryWithContent = DeliveryRow & { content: Content }

/** A delivery that this process sends now, with its receiver as it is now. */
export type LeasedDelivery = DeliveryWithContent & {
  giveUpAt: Date
  /** Addresses of an e-mail that others have got; null: all. */
  addressesLeft: string[] | null
  receiver: Pick<ReceiverRow, 'name' | 'addresses' | 'url' | 'secretSealed' | 'isEnabled'>
}

export interface DeliveryFilter {
  receiverId?: string
  status?: DeliveryStatus
}
