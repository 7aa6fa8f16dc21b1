/** Who caused a change, for the audit log. */
export interface Actor {
  kind: string
  name: string
  requestId?: string
}
