import { setFlagsFromString } from 'node:v8'

/**
 * The event loop is blocked until the helper threads of a garbage collection have done their part. On busy processors these
 * threads wait for a processor themselves: a collection of new objects then took up to 760 ms. New objects are therefore
 * collected by the thread of the event loop alone.
 */
export function collectNewObjectsOnMainThread(): void {
  setFlagsFromString('--no-parallel-scavenge')
}
