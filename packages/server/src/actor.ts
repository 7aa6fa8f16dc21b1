/** On whose behalf something changes. */
export interface Actor {
  kind: string
  name: string
  requestId?: string
}
