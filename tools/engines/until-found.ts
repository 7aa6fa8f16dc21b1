import { setTimeout as sleep } from 'node:timers/promises'
import { EngineError } from './engine-error.ts'

const TIMEOUT_MS = 120_000
const POLL_MS = 200

/** Waits for a result other than false or undefined, through errors such as that of a node which does not answer yet. */
export async function untilFound<T>(
  condition: string,
  find: () => Promise<T | false | undefined>,
): Promise<T> {
  const deadline = performance.now() + TIMEOUT_MS
  for (;;) {
    let failure = ''
    try {
      const found = await find()
      if (found !== false && found !== undefined) return found
    } catch (error) {
      failure = ` (${String(error)})`
    }
    if (performance.now() > deadline)
      throw new EngineError(
        `After ${TIMEOUT_MS / 1_000} s it is still not so that ${condition}${failure}. See the logs of the nodes.`,
      )
    await sleep(POLL_MS)
  }
}
