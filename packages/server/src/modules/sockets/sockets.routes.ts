import { envelopeProtocol, type JobKind, maxJobNumberLength, socketPath } from '@manc/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { type Caller, idOf } from '../../access.ts'
import { forbidden, invalid, notFound, Refused } from '../../errors.ts'
import { bearerOf } from '../../http/guard.ts'
import type { JobService } from '../jobs/index.ts'
import type { SocketService } from './sockets.service.ts'

interface Options {
  jobs: JobService
  sockets: SocketService
  /** Origins whose pages may connect. Programs send none. */
  origins: readonly string[]
  /** Whether a token is still valid. */
  isLive: (bearer: string) => Promise<boolean>
}

const paths = [
  `${socketPath}/:job_number`,
  '/api/v1/callback/agent_data/ws/:job_number',
  '/api/v1/callback/agent_details/ws/:job_number',
  '/api/v1/callback/emulator/ws/:job_number',
]

type Request = FastifyRequest<{ Params: { job_number: string }; Querystring: { after?: string | string[] } }>

export function socketRoutes(app: FastifyInstance, options: Options): void {
  for (const url of paths)
    app.route({
      method: 'GET',
      url,
      config: { access: 'socket' },
      // Errors are HTTP responses, so that all checks come before the upgrade.
      preValidation: async (request) => check(request as Request, options),
      handler: async (_request, reply) =>
        reply.code(426).header('upgrade', 'websocket').send({ detail: 'Connect with a WebSocket.' }),
      wsHandler: (socket, request) => void open(socket, request as Request, options),
    })
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the job whose socket is requested. */
    jobKind: JobKind | undefined
  }
}

/** Browsers send the origin of the page; programs send none. */
export function checkOrigin({ headers: { origin } }: FastifyRequest, origins: readonly string[]): void {
  if (origin !== undefined && !origins.includes(origin)) throw forbidden()
}

async function check(request: Request, { jobs, sockets, origins }: Options): Promise<void> {
  checkOrigin(request, origins)
  if (afterOf(request) === undefined)
    throw invalid([
      {
        loc: ['query', 'after'],
        msg: 'Input should be a valid integer, unable to parse string as an integer',
        type: 'int_parsing',
      },
    ])
  const caller = request.caller as Caller
  const { kind } = await jobOf(request, caller, jobs)
  request.jobKind = kind
  // Last, so that no other request comes in between.
  const refusal = sockets.refusal(caller, kind)
  if (refusal) throw refusal
}

/**
 * The interface has a client connect before or after its number is used: an unused number becomes a mailbox of the caller.
 * For clients of `manc.v1`, which get their numbers from us, it is an error.
 */
async function jobOf(request: Request, caller: Caller, jobs: JobService): Promise<{ kind: JobKind }> {
  const { job_number: jobNumber } = request.params
  if (jobNumber.includes('\0')) throw notFound('Job')
  try {
    return await jobs.get(jobNumber, ownerOf(caller))
  } catch (error) {
    const isUnknown = error instanceof Refused && error.kind === 'not-found'
    if (!isUnknown || isEnvelopeOffered(request) || jobNumber.length > maxJobNumberLength) throw error
    await jobs.openMailbox(jobNumber, caller)
    return jobs.get(jobNumber, ownerOf(caller))
  }
}

const isEnvelopeOffered = ({ headers }: Request) =>
  (headers['sec-websocket-protocol'] ?? '').split(',').some((each) => each.trim() === envelopeProtocol)

async function open(socket: WebSocket, request: Request, { sockets, isLive }: Options): Promise<void> {
  const bearer = bearerOf(request) ?? ''
  await sockets.open({
    socket,
    jobNumber: request.params.job_number,
    kind: request.jobKind ?? 'mailbox',
    caller: request.caller as Caller,
    owner: ownerOf(request.caller),
    isEnveloped: socket.protocol === envelopeProtocol,
    after: afterOf(request) ?? 0,
    isAuthorised: () => isLive(bearer),
  })
}

/** The number of the last message that the client has; 0 without the parameter, undefined if it is invalid. */
function afterOf({ query }: Request): number | undefined {
  const given = Array.isArray(query.after) ? query.after.at(-1) : query.after
  if (given === undefined) return 0
  return /^\d{1,15}$/.test(given) ? Number(given) : undefined
}

/** The owner of the jobs that the caller may read; undefined: any. */
function ownerOf(caller: Caller | undefined): string | undefined {
  if (caller?.kind === 'user' && caller.rank === 'admin') return undefined
  return caller ? idOf(caller) : ''
}
