import type { Arguments } from './arguments.ts'
import { ConformanceEnvironment } from './environment.ts'
import type { Target } from './started-target.ts'

export async function openTarget({ running }: Arguments): Promise<Target> {
  if (running) {
    const environment = await ConformanceEnvironment.open(running.url, {
      name: running.username,
      secret: running.password,
    })
    return { environment, close: () => environment.deleteCreated() }
  }
  // A server elsewhere is checked without loading this one's code.
  const { startTarget } = await import('./started-target.ts')
  return startTarget()
}
