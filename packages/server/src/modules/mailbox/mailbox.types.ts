export interface MailboxMessage {
  seq: number
  /** `result`: posted data. `state`: a change of the job's state. */
  type: 'result' | 'state'
  final: boolean
  /** JSON text. */
  data: string
}

/** A message as it is read again. */
export interface StoredMessage extends Omit<MailboxMessage, 'data'> {
  at: Date
  isDelivered: boolean
  /** JSON text; null if it was delivered and not kept. */
  data: string | null
}
