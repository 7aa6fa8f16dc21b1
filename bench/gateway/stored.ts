import type { EngineSet } from '../../tools/engines/index.ts'

/** Sent with every sample, by all drivers. */
const metric = 'uptime_s'

interface Exported {
  metric: { ap_id: string }
  timestamps: number[]
}

/** Samples in the store: access points, all of them, and different ones. A message that is delivered twice is stored twice. */
export async function storedSamples({ urls }: EngineSet) {
  await (await fetch(`${urls.victoria}/internal/force_flush`)).text()
  const answer = await fetch(`${urls.victoria}/api/v1/export?match[]=${metric}`)
  if (!answer.ok) throw new Error(`exporting ${metric}: ${answer.status} ${await answer.text()}`)
  const accessPoints = new Set<string>()
  const different = new Set<string>()
  let all = 0
  for (const line of (await answer.text()).split('\n')) {
    if (line === '') continue
    const { metric: labels, timestamps } = JSON.parse(line) as Exported
    accessPoints.add(labels.ap_id)
    all += timestamps.length
    for (const atMs of timestamps) different.add(`${labels.ap_id} ${atMs}`)
  }
  return { accessPoints: accessPoints.size, all, different: different.size }
}
