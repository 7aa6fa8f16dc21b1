import { setTimeout as sleep } from 'node:timers/promises'

const startedAt = Date.now()

/** A line of progress, with the seconds since the start of the run. */
export function progress(line: string): void {
  console.log(`${String(Math.round((Date.now() - startedAt) / 1000)).padStart(5)} s  ${line}`)
}

/** Repeats until it gives a result other than false or undefined. An error counts as none, and is part of the message. */
export async function waitFor<T>(
  what: string,
  withinS: number,
  find: () => Promise<T | false | undefined>,
): Promise<T> {
  const beganAt = Date.now()
  let reportAt = beganAt + 10_000
  for (;;) {
    let failure = ''
    try {
      const found = await within(what, withinS, find())
      if (found !== false && found !== undefined) return found
    } catch (error) {
      failure = `: ${error instanceof Error ? error.message : String(error)}`
    }
    const seconds = Math.round((Date.now() - beganAt) / 1000)
    if (seconds >= withinS) throw new Error(`Waited ${withinS} s until ${what}${failure}`)
    if (Date.now() > reportAt) {
      progress(`… waiting until ${what}${failure} (${seconds} of at most ${withinS} s)`)
      reportAt += 10_000
    }
    await sleep(200)
  }
}

/** Rejects when the work takes longer. */
export async function within<T>(what: string, seconds: number, work: Promise<T>): Promise<T> {
  const ended = new AbortController()
  const late = sleep(seconds * 1000, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`Waited ${seconds} s until ${what}`)
  })
  // Aborted when the work is done first.
  late.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    ended.abort()
  }
}
