import { setTimeout as sleep } from 'node:timers/promises'
import { outageOf } from '../errors.ts'
import { Screen } from './screen.ts'

/** Redraws once a second until the user quits. The last picture stays on the terminal. */
export async function live(
  picture: (size: { rows: number; columns: number }, signal: AbortSignal) => Promise<string[]>,
  { intervalMs = 1000 } = {},
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
      await sleep(Math.max(50, intervalMs - (Date.now() - startedAt)), undefined, { signal: screen.signal })
    }
  } catch (error) {
    if (!screen.signal.aborted) throw error
  } finally {
    screen.close()
  }
  process.stdout.write(last.map((line) => `${line}\n`).join(''))
}

/** The new picture; during an outage the previous one with a message. */
async function drawn(screen: Screen, render: () => Promise<string[]>, before: string[]): Promise<string[]> {
  try {
    const lines = await render()
    screen.draw(lines)
    return lines
  } catch (error) {
    const outage = before.length === 0 ? undefined : await outageOf(error)
    if (screen.signal.aborted || outage === undefined) throw error
    screen.draw([...before.slice(0, screen.rows - 1), outage])
    return before
  }
}
