/** The filter of the audit log, stored in the address. */
export interface AuditSearch {
  actor?: string
  /** The page ignores names of no action: their list is not needed on other pages. */
  action?: string
  target?: string
}

const maxLength = 320

/** Invalid and empty parameters are ignored. */
export function parseAuditSearch({ actor, action, target }: Record<string, unknown>): AuditSearch {
  return {
    ...(isText(actor) && { actor: String(actor).slice(0, maxLength) }),
    ...(isText(action) && { action: String(action).slice(0, maxLength) }),
    ...(isText(target) && { target: String(target).slice(0, maxLength) }),
  }
}

/** The router parses a numeric name as a number. */
const isText = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
