import type { Tx } from './engines/postgres.ts'

/**
 * Ends every token of a user, agent or app that is older than `version`; all of them where it is left out.
 * The tokens room does it; the rooms of the three kinds of caller are handed it, as they may not import that room.
 */
export type Revoke = (tx: Tx, subject: string, version?: number) => Promise<void>
