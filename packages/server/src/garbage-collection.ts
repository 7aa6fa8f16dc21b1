import { setFlagsFromString } from 'node:v8'

/**
 * The event loop stands still until the helper threads of a garbage collection have done their part. On busy processors these
 * threads wait for a place themselves: a collection of 40 ms then took up to 760 ms. New objects are therefore collected
 * by the thread of the event loop, and old ones are marked by one helper thread, which competes with it for a processor.
 */
export function limitGarbageCollectionThreads(): void {
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--concurrent-marking-max-worker-num=1')
}
