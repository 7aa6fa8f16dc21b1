import { apIdPattern } from '@manc/contract'
import { call } from '@manc/harness'
import fc from 'fast-check'
import type { FuzzEnvironment } from './environment.ts'
import type { Findings } from './findings.ts'
import { hostileText, oddBytes } from './hostile-values.ts'
import { createHttpAgent, exchange, unlessBusy } from './http-exchange.ts'
import { passwordMark } from './names.ts'
import { chunkSizes, inParallel } from './parallel.ts'

/** A larger request is refused with 413. */
const largestRequestBytes = 65_536

const kinds = ['user', 'vhost', 'resource', 'topic'] as const
const agentName = 'broker-agent'
const password = `${passwordMark}-at-the-broker`

type Form = Record<string, string>

const oneOf = (...texts: string[]) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...texts) },
    { weight: 1, arbitrary: hostileText.map((text) => text.toWellFormed()) },
  )

const form: fc.Arbitrary<Form> = fc.record(
  {
    username: oneOf(agentName, 'unknown', 'manc'),
    client_id: oneOf(agentName, 'unknown'),
    password: oneOf(password, 'wrong', ''),
    vhost: oneOf('/', 'other'),
    resource: oneOf('exchange', 'queue', 'topic'),
    name: oneOf(
      'amq.topic',
      'manc.jobs',
      `mqtt-subscription-${agentName}qos1`,
      'mqtt-subscription-otherqos0',
    ),
    permission: oneOf('read', 'write', 'configure'),
    routing_key: oneOf(
      `agent.${agentName}.data`,
      `agent.${agentName}.command`,
      'agent.other.data',
      'agent.*.data',
      '#',
    ),
  },
  { requiredKeys: ['username'] },
)

interface Request {
  kind: (typeof kinds)[number]
  form: Form | undefined
  body: Buffer
  type: string
}

const encoded = (each: Form) => Buffer.from(new URLSearchParams(each).toString())

const request: fc.Arbitrary<Request> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom(...kinds), form }).map(({ kind, form: given }) => ({
      kind,
      form: given,
      body: encoded(given),
      type: 'application/x-www-form-urlencoded',
    })),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom(...kinds),
      form: fc.constant(undefined),
      body: oddBytes(hostileText),
      type: fc.constantFrom('application/x-www-form-urlencoded', 'application/json', 'nonsense', ''),
    }),
  },
)

const isApId = new RegExp(apIdPattern)

/** The same rules as in docs/decisions/0024, written a second time. */
function isAllowed({ kind, form: given }: Request): boolean {
  if (!given) return false
  const { username = '', client_id, vhost, resource, name = '', permission = '', routing_key } = given
  if (!isApId.test(username) || username === 'manc') return false
  if (kind === 'user')
    return username === agentName && client_id === agentName && given['password'] === password
  if (vhost !== '/') return false
  if (kind === 'vhost') return true
  if (kind === 'topic') {
    const published = permission === 'write' ? ['clients', 'data', 'onboard', 'result', 'status'] : []
    const topics = permission === 'read' ? ['command'] : published
    const isOwn = topics.some((topic) => routing_key === `agent.${username}.${topic}`)
    return resource === 'topic' && name === 'amq.topic' && isOwn
  }
  if (resource === 'exchange') return name === 'amq.topic' && ['read', 'write'].includes(permission)
  const own = [`mqtt-subscription-${username}qos0`, `mqtt-subscription-${username}qos1`]
  return resource === 'queue' && own.includes(name) && ['configure', 'read', 'write'].includes(permission)
}

/** Requests of the broker to authenticate and authorise agents, on the internal listener. */
export async function fuzzBrokerRequests(
  environment: FuzzEnvironment,
  { requests, seed }: { requests: number; seed: number },
  findings: Findings,
) {
  const body = { ap_id: agentName, password, configuration: {} }
  await call(environment.url, 'POST', '/api/v1/agents/', { token: await environment.adminToken(), body })
  const agent = createHttpAgent(8)
  const counts = { allow: 0, deny: 0, refused: 0 }

  const send = async (each: Request) => {
    const reply = await unlessBusy(() =>
      exchange(environment.internalUrl, agent, {
        method: 'POST',
        target: `/broker/${each.kind}`,
        headers: { 'content-type': each.type },
        body: each.body,
      }),
    )
    const report = (problem: string) =>
      findings.add({
        problem,
        where: `broker ${each.kind}`,
        evidence: `${each.type} ${each.body.toString('utf8')}\n-> ${reply?.status} ${reply?.text}`,
      })
    if (!reply) return report('the connection was closed without a response')
    if (reply.status >= 400 && reply.status < 500) {
      counts.refused += 1
      // The broker takes a refusal as a denial. Only a request that is too large may get one.
      if (each.form && !(reply.status === 413 && each.body.length > largestRequestBytes))
        report('a well-formed request was refused')
      return
    }
    const expected = isAllowed(each) ? 'allow' : 'deny'
    if (reply.status !== 200 || reply.text !== expected) return report(`the answer is not ${expected}`)
    counts[expected] += 1
  }

  for (const [index, size] of chunkSizes(requests, 1000).entries())
    await inParallel(fc.sample(request, { seed: seed + index, numRuns: size }), 8, send)
  agent.destroy()
  return counts
}
