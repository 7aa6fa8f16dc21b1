import { setTimeout as sleep } from 'node:timers/promises'
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
      last = await picture(screen, screen.signal)
      screen.draw(last)
      await sleep(Math.max(50, everyMs - (Date.now() - startedAt)), undefined, { signal: screen.signal })
    }
  } catch (error) {
    if (!screen.signal.aborted) throw error
  } finally {
    screen.close()
  }
  process.stdout.write(last.map((line) => `${line}\n`).join(''))
}
