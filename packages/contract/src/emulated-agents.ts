/** An emulator holds a part of an emulation for this long after each report. */
export const partLeaseS = 30

/** The id of the nth agent of an emulation, from 1 on: `emu-wifi-0123abcd-1`. */
export const emulatedApId = (technology: string, jobNumber: string, n: number): string =>
  `emu-${technology.toLowerCase()}-${jobNumber.slice(0, 8)}-${n}`

/** The id of every emulated agent begins with one of these. No other agent can be registered with such an id. */
export const emulatedApIdPrefixes = ['emu-5g-', 'emu-wifi-', 'emu-lifi-'] as const

export const isEmulatedApId = (apId: string): boolean =>
  emulatedApIdPrefixes.some((prefix) => apId.startsWith(prefix))

/** What the spec of an emulated agent says about it, for its configuration. */
export const emulatedLabels = ({ name, place }: { name?: string; place?: string }, apId: string) => ({
  ...(name !== undefined && { name: `${name} ${emulatedApNumber(apId) ?? apId}` }),
  ...(place !== undefined && { place }),
})

const pattern = /^emu-(?:5g|wifi|lifi)-[\da-f]{8}-(\d+)$/

/** The number of an agent in its emulation; undefined where it is not emulated. */
export function emulatedApNumber(apId: string): number | undefined {
  const [, n] = pattern.exec(apId) ?? []
  return n === undefined ? undefined : Number(n)
}

/** Ids of emulated clients are this and a number from 1 on: `emu-client-0123abcd-1-17`. */
export const emulatedClientPrefix = (jobNumber: string, part: number): string =>
  `emu-client-${jobNumber.slice(0, 8)}-${part}-`
