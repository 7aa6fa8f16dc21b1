import { call } from '@manc/harness'
import { type Context, oneOf, perform, repeat } from './caller.ts'
import { waitFor } from './wait.ts'

/** A sample a second is sent, and is readable soon after that. */
const newestMs = 5000
const agents = 5

/** Charts of agents that send over MQTT. A chart without the newest samples is no success. */
export async function reads(context: Context): Promise<void> {
  const { urls, token, prefix, random } = context
  const paths = Array.from(
    { length: agents },
    (_, n) => `/api/v1/metrics/agent_multi_metric_data?agent=${prefix}-${n}&metrics=metric_0&window=1m`,
  )
  // An agent without any sample has no chart.
  for (const path of paths)
    await waitFor('the first samples can be read', 60, async () => {
      const { status } = await call(urls[0] ?? '', 'GET', path, { token })
      return status === 200
    })
  await repeat(context, 1000, async () => {
    const earliest = Date.now() - newestMs
    const refuse = (body: any) =>
      Date.parse(body.series[0]?.points.at(-1)?.ts) >= earliest ? undefined : 'old'
    await perform(context, { kind: 'read', method: 'GET', path: oneOf(paths, random), token, refuse })
  })
}
