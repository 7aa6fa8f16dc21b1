import { setTimeout as sleep } from 'node:timers/promises'
import { outageOf } from '../errors.ts'
import { Screen } from './screen.ts'

/** Draws once a second until somebody leaves; then the last picture stays on the terminal. */
export async function live(
  picture: (size: { rows: number; columns: number }, signal: AbortSignal) => Promise<string[]>,
  { everyMs = 1000 } = {},
): Promise<void> {
  const screen = new Screen((name) => {
    if (name === 'q') screen.quit()
  })
  let last: string[] = []
  screen.open()
  try {
    while (!screen.signal.aborted) {
      const startedAt = Date.now()
      last = await drawn(screen, () => picture(screen, screen.signal), last)
      await sleep(Math.max(50, everyMs - (Date.now() - startedAt)), undefined, { signal: screen.signal })
    }
  } catch (error) {
    if (!screen.signal.aborted) throw error
  } finally {
    screen.close()
  }
  process.stdout.write(last.map((line) => `${line}\n`).join(''))
}

/** The new picture; through an outage the one from before, with a word on it. */
async function drawn(screen: Screen, look: () => Promise<string[]>, before: string[]): Promise<string[]> {
  try {
    const lines = await look()
    screen.draw(lines)
    return lines
  } catch (error) {
    const outage = before.length === 0 ? undefined : await outageOf(error)
    if (screen.signal.aborted || outage === undefined) throw error
    screen.draw([...before.slice(0, screen.rows - 1), outage])
    return before
  }
}
