import { setTimeout as sleep } from 'node:timers/promises'

export interface Depth {
  ready: number
  unacknowledged: number
}

/** Sum over all queues. The broker updates its counts every five seconds. */
export async function depthOf(management: string): Promise<Depth> {
  const { origin, username, password } = new URL(management)
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const path = '/api/queues/%2F?columns=messages_ready,messages_unacknowledged'
  const answer = await fetch(origin + path, { headers: { authorization } })
  const queues = (await answer.json()) as { messages_ready?: number; messages_unacknowledged?: number }[]
  return {
    ready: queues.reduce((sum, queue) => sum + (queue.messages_ready ?? 0), 0),
    unacknowledged: queues.reduce((sum, queue) => sum + (queue.messages_unacknowledged ?? 0), 0),
  }
}

export async function untilEmpty(management: string): Promise<void> {
  for (let waited = 0; waited < 120; waited++) {
    await sleep(1000)
    const { ready, unacknowledged } = await depthOf(management)
    // The broker's statistics lag by some seconds.
    if (waited > 10 && ready + unacknowledged === 0) return
  }
  throw new Error('the queues did not empty within two minutes')
}
