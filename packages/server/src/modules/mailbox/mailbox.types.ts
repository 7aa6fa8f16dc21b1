export interface MailboxMessage {
  seq: number
  /** `result`: posted data. `state`: a change of the job's state. */
  type: 'result' | 'state'
  final: boolean
  /** JSON text. */
  data: string
}
