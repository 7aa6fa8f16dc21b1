/** The bare engine of `metrics-read`: Fastify, fetch and the store's export, without auth. */
import Fastify from 'fastify'

const app = Fastify()
const schema = {
  response: {
    200: {
      type: 'object',
      properties: {
        agent_id: { type: 'string' },
        window_minutes: { type: 'integer' },
        series: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              metric: { type: 'string' },
              points: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: { ts: { type: 'string' }, value: { type: 'number' } },
                },
              },
            },
          },
        },
      },
    },
  },
}

interface Exported {
  metric: { __name__: string }
  values: number[]
  timestamps: number[]
}

app.get<{ Querystring: { agent: string; metrics: string; window: string } }>(
  '/read',
  { schema },
  async (request) => {
    const { agent, metrics, window } = request.query
    const query = new URLSearchParams({ start: String(Date.now() / 1000 - Number(window) * 60) })
    for (const name of metrics.split(','))
      query.append('match[]', `{__name__=${JSON.stringify(name)},ap_id=${JSON.stringify(agent)}}`)
    const answer = await fetch(`${process.env['VICTORIA_URL']}/api/v1/export?${query.toString()}`)
    const text = await answer.text()
    const found = new Map<string, { ts: string; value: number | undefined }[]>()
    for (const line of text.split('\n')) {
      if (line === '') continue
      const { metric, values, timestamps }: Exported = JSON.parse(line)
      const points = timestamps.map((ms, n) => ({ ts: new Date(ms).toISOString(), value: values[n] }))
      found.set(metric.__name__, points)
    }
    return {
      agent_id: agent,
      window_minutes: Number(window),
      series: metrics.split(',').map((metric) => ({ metric, points: found.get(metric) ?? [] })),
    }
  },
)

process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
