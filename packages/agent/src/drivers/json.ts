export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Empty for everything else: devices may send anything. */
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {})
