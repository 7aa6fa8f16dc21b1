import type { EmulatorSpec } from '@manc/sdk'

interface StoredRequest {
  jobNumber: string
  specs: EmulatorSpec[]
}

const storageKey = 'manc.emulations'
const maxStored = 30

/** Stores a request in this browser, since the controller does not store the texts of locations. */
export function storeRequest(jobNumber: string, specs: EmulatorSpec[]): void {
  const requests = [{ jobNumber, specs }, ...storedRequests()].slice(0, maxStored)
  localStorage.setItem(storageKey, JSON.stringify(requests))
}

/** Undefined if the emulation was started elsewhere or long ago. */
export const storedSpecs = (jobNumber: string): EmulatorSpec[] | undefined =>
  storedRequests().find((request) => request.jobNumber === jobNumber)?.specs

function storedRequests(): StoredRequest[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(value) ? (value as StoredRequest[]) : []
  } catch {
    // Invalid content is overwritten by the next request.
    return []
  }
}

/** At sign-out: the next user of this browser must not see these requests. */
export const clearStoredRequests = (): void => localStorage.removeItem(storageKey)
