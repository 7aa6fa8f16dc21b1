import type { Arguments } from './arguments.ts'
import type { Target } from './own-target.ts'
import { World } from './world.ts'

export async function enterTarget({ running }: Arguments): Promise<Target> {
  if (running) {
    const world = await World.enter(running.url, { name: running.username, secret: running.password })
    return { world, leave: () => world.clear() }
  }
  // A server elsewhere is checked without loading this one's code.
  const { startTarget } = await import('./own-target.ts')
  return startTarget()
}
