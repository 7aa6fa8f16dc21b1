import { maxReportedClients } from '@manc/contract/topics'
import type { Reading } from '../drivers/driver.ts'

/** The controller rejects a sample with more metrics, and longer names. */
const maxReadings = 256
const maxNameLength = 128
const maxTextLength = 1000

/**
 * What is sent of a reading. A device may be faulty or hostile: it must not fill the buffer of its access point, nor make the
 * controller reject the whole sample. `isCut`: there was more.
 */
export function boundedReading({ readings, clients }: Reading): Reading & { isCut: boolean } {
  const all = Object.entries(readings)
  const kept = all.filter(isUsable).slice(0, maxReadings).map(shortened)
  const attached = clients?.slice(0, maxReportedClients)
  return {
    readings: Object.fromEntries(kept),
    ...(attached && { clients: attached }),
    isCut: kept.length < all.length || attached?.length !== clients?.length,
  }
}

const isUsable = ([name, value]: [string, unknown]): boolean =>
  name !== '' &&
  name.length <= maxNameLength &&
  // oxlint-disable-next-line no-control-regex -- the controller rejects them
  !/[\u0000-\u001f\u007f]/.test(name) &&
  (typeof value === 'string' || Number.isFinite(value))

const shortened = ([name, value]: [string, number | string]): [string, number | string] => [
  name,
  typeof value === 'string' ? value.slice(0, maxTextLength).toWellFormed() : value,
]
