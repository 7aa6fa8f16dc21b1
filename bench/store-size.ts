import { setTimeout as sleep } from 'node:timers/promises'

interface StoreSize {
  points: number
  dataBytes: number
  indexBytes: number
}

/** After the store has merged its parts, as it does by itself within hours. */
export async function storeSize(victoria: string): Promise<StoreSize> {
  for (const task of ['force_flush', 'force_merge'])
    await (await fetch(`${victoria}/internal/${task}`)).text()
  for (;;) {
    const text = await (await fetch(`${victoria}/metrics`)).text()
    const total = (metric: string, kind: string) =>
      [...text.matchAll(new RegExp(`^${metric}\\{type="${kind}/[^"]*"\\} (\\S+)$`, 'gm'))].reduce(
        (sum, [, value]) => sum + Number(value),
        0,
      )
    const merges = /^vm_active_force_merges (\d+)$/m.exec(text)?.[1]
    if (merges === undefined) throw new Error('the store does not report vm_active_force_merges')
    if (Number(merges) === 0)
      return {
        points: total('vm_rows', 'storage'),
        dataBytes: total('vm_data_size_bytes', 'storage'),
        indexBytes: total('vm_data_size_bytes', 'indexdb'),
      }
    await sleep(500)
  }
}
