import Type from 'typebox'

export const seconds = (byDefault: number, description: string) =>
  Type.Integer({ default: byDefault, minimum: 1, maximum: 31_536_000, description })

export const count = (byDefault: number, description: string) =>
  Type.Integer({ default: byDefault, minimum: 1, maximum: 1_000_000_000_000, description })

export const port = (byDefault: number, description: string) =>
  Type.Integer({ default: byDefault, minimum: 0, maximum: 65_535, description })

export const secret = (description: string) => Type.String({ minLength: 32, description, writeOnly: true })

/** A limit that keeps one owner from degrading service for the others. */
export interface Limit {
  /** Whose use is counted. */
  owner: string
  /** What the owner gets beyond the limit. */
  response: string
  /** False if the oldest is deleted without a count. */
  isCounted?: false
}

/** `docs/operations/limits.md` lists these settings; `Limits` counts how often each is reached, unless `isCounted` is false. */
export const limit = (byDefault: number, ofOwner: Limit, description: string) =>
  Type.Integer({
    default: byDefault,
    minimum: 1,
    maximum: 1_000_000_000_000,
    description,
    limit: ofOwner,
  })

export const retryLater = '429 with `Retry-After`'
export const suspension = 'disconnected, and logins at the broker are refused for 10 s up to 15 minutes'
