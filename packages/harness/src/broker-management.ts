import type { EngineUrls } from '../../../tools/engines/index.ts'

/** A request to RabbitMQ's management API. */
export async function brokerManagement(
  engines: EngineUrls,
  method: string,
  route: string,
  body?: unknown,
): Promise<unknown> {
  const { origin, username, password } = new URL(engines.rabbitmqManagement)
  const response = await fetch(origin + route, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** The major version of the running broker. */
export async function rabbitmqMajor(engines: EngineUrls): Promise<number> {
  const overview = (await brokerManagement(engines, 'GET', '/api/overview')) as { rabbitmq_version: string }
  return Number.parseInt(overview.rabbitmq_version, 10)
}
