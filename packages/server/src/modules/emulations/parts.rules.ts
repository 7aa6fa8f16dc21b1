import { createHash } from 'node:crypto'
import type { PartSpec } from '@manc/contract/emulation-parts'
import type { Secrets } from '../../secrets.ts'
import type { PlacedAgent } from './layout.rules.ts'

/** At most this many agents run in one part: an emulator takes whole parts, and the access points of a part share one world. */
const agentsPerPart = 1000
/** Emulations of version 1.1 that still run. */
const agentsPerOldPart = 250

/** How many agents a part of an emulation has at most. Up to 250 agents are one part in both versions. */
export const partSizeOf = (agents: number, parts: number): number =>
  parts === Math.ceil(agents / agentsPerPart) ? agentsPerPart : agentsPerOldPart

/** Seeds are as long as a caller likes; a message has at most 1 MiB. The same seed has the same text again. */
export const seedInMessage = (seed: string): string =>
  seed.length <= maxSeedLength ? seed : createHash('sha256').update(seed).digest('base64url')
const maxSeedLength = 43

export function splitIntoParts(agents: PlacedAgent[]): PlacedAgent[][] {
  return Array.from({ length: Math.ceil(agents.length / agentsPerPart) }, (_, n) =>
    agents.slice(n * agentsPerPart, (n + 1) * agentsPerPart),
  )
}

/** The numbers of the specs that these agents follow. */
export const specNumbersOf = (agents: readonly PlacedAgent[]): number[] => [
  ...new Set(agents.map(({ spec }) => spec)),
]

export const longestDurationS = (specs: readonly PartSpec[]): number =>
  Math.max(...specs.map(({ duration }) => duration))

/** Derived from the nonce of the emulation, so that no password is stored. */
export const passwordOf = (secrets: Secrets, apId: string, nonce: string, keyId?: string): string =>
  secrets.derive(derivationOf(apId, nonce), keyId)

/** The key under which the passwords of an emulation were derived, from the stored hash of one of its agents. */
export const passwordKeyIdOf = (
  secrets: Secrets,
  { nonce, sampleApId, sampleHash }: { nonce: string; sampleApId: string | null; sampleHash: string | null },
): string | undefined =>
  sampleApId === null || sampleHash === null
    ? undefined
    : secrets.keyIdOfDerived(derivationOf(sampleApId, nonce), sampleHash)

const derivationOf = (apId: string, nonce: string): string => `${apId} ${nonce}`
