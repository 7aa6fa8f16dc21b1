import { type Operation, type OperationId, operations } from '@manc/contract'
import fc from 'fast-check'
import { callerNames, isRevoked } from './callers.ts'
import type { FuzzEnvironment } from './environment.ts'
import type { Findings } from './findings.ts'
import { createHttpAgent, exchange, unlessBusy } from './http-exchange.ts'
import { inParallel } from './parallel.ts'
import { type FuzzRequest, requestsOf } from './requests.ts'
import { ResponseChecks } from './response-checks.ts'

const chunkSize = 200
const concurrency = 16

/** Operations that hash a password, which takes as long as a hundred other requests. */
const slow: ReadonlySet<string> = new Set<OperationId>([
  'logIn',
  'createUser',
  'createUserPublic',
  'signUp',
  'updateUser',
  'createAgent',
  'createAgentPublic',
  'updateAgent',
])

/** Operations after which the tokens of callers are no longer valid. */
const endsSessions: ReadonlySet<string> = new Set<OperationId>(['endSession', 'renewToken'])

interface Options {
  requests: number
  seed: number
  /** Only this operation. */
  operation: string | undefined
}

/** Generated requests for every operation, by every kind of caller, to two replicas. */
export async function fuzzHttp(environment: FuzzEnvironment, options: Options, findings: Findings) {
  const response = await fetch(`${environment.url}/openapi.json`)
  const checks = new ResponseChecks((await response.json()) as Record<string, unknown>, environment.secrets)
  const agent = createHttpAgent(concurrency)
  const statuses = new Map<string, Map<number, number>>()
  let count = 0

  const send = async (request: FuzzRequest) => {
    const target = environment.filled(request.target)
    // By bytes: not all bodies are UTF-8.
    const body = request.body && Buffer.from(environment.filled(request.body.toString('latin1')), 'latin1')
    const server = environment.servers[count++ % environment.servers.length]
    const headers = { ...environment.callers.headersOf(request.caller), ...request.headers }
    const report = (problem: string, reply?: { status: number; text: string }) =>
      findings.add({
        problem,
        where: request.operation,
        evidence: shown({ ...request, target, body }, reply),
      })
    try {
      const reply = await unlessBusy(() =>
        exchange(server?.url ?? '', agent, { ...request, target, headers, body }),
      )
      if (!reply) return report('the connection was closed without a response')
      countStatus(statuses, request.operation, reply.status)
      for (const problem of checks.problemsOf({ ...request, target }, reply)) report(problem, reply)
    } catch (error) {
      report((error as Error).message)
    }
  }

  for (const chunk of chunksOf(options)) {
    await environment.keepOnline()
    const requests = fc.sample(requestsOf(chunk.id), { seed: chunk.seed, numRuns: chunk.count })
    await inParallel(requests, concurrency, send)
    if (chunk.id.startsWith('delete') || endsSessions.has(chunk.id)) await restore(environment)
    if (operations[chunk.id].method !== 'GET') await environment.restore(operations[chunk.id])
  }
  agent.destroy()
  // Tokens of these are sent by e-mail only.
  const needsMail = ['resetPassword', 'confirmSignUp']
  for (const id of operationIds(options.operation))
    if (!statuses.get(id)?.has(200) && options.requests >= 10_000 && !needsMail.includes(id))
      findings.add({ problem: 'no request has succeeded', where: id, evidence: '' })
  return { requests: count, statuses }
}

interface Chunk {
  id: OperationId
  count: number
  seed: number
}

const operationIds = (only: string | undefined): OperationId[] =>
  Object.values<Operation>(operations)
    .map(({ id }) => id as OperationId)
    .filter((id) => only === undefined || id === only)

/** Rounds over all operations until there are enough requests. A chunk depends on the seed and its place only. */
function* chunksOf({ requests, seed, operation }: Options): Iterable<Chunk> {
  const ids = operationIds(operation)
  const shares = ids.map((id) => (slow.has(id) ? 0.1 : 1))
  const total = shares.reduce((sum, share) => sum + share, 0)
  const rounds = Math.max(1, Math.ceil(requests / (total * chunkSize)))
  for (let round = 0; round < rounds; round++)
    for (const [index, id] of ids.entries())
      yield {
        id,
        count: Math.max(1, Math.ceil(((shares[index] ?? 1) * requests) / (total * rounds))),
        seed: seed + round * 1000 + Object.keys(operations).indexOf(id),
      }
}

/** Requests have deleted and changed records, among them those of callers. */
async function restore(environment: FuzzEnvironment): Promise<void> {
  await environment.createVictims()
  for (const name of callerNames)
    if (await isRevoked(environment.url, environment.callers.headersOf(name)))
      await environment.callers.renew(name)
}

function countStatus(statuses: Map<string, Map<number, number>>, id: string, status: number): void {
  const ofOperation = statuses.get(id) ?? new Map<number, number>()
  ofOperation.set(status, (ofOperation.get(status) ?? 0) + 1)
  statuses.set(id, ofOperation)
}

function shown(
  { caller, method, target, headers, body }: FuzzRequest,
  reply?: { status: number; text: string },
) {
  return [
    `${caller}: ${method} ${target.slice(0, 400)}`,
    JSON.stringify(headers).slice(0, 300),
    body?.toString('utf8').slice(0, 400) ?? '',
    reply ? `-> ${reply.status} ${reply.text.slice(0, 400)}` : '',
  ].join('\n')
}
