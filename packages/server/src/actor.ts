/** Who caused a change, for the audit log. */
export interface Actor {
  kind: string
  name: string
  requestId?: string
}

/** Identifies the actor as the owner of a limited resource. */
export const ownerOf = ({ kind, name }: Actor): string => `${kind} ${name}`
