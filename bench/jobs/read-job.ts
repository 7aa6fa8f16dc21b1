import { Agent, request } from 'node:http'
import { envelopeProtocol } from '@manc/contract'
import WebSocket from 'ws'

/** The endpoint under test: ours or the bare engines. */
export interface JobTarget {
  url: string
  /** Path of the request. */
  path: string
  /** Path of the socket, without the job number. */
  socketPath: string
  /** Without a token frames have no envelope, and the server closes after the last one. */
  token?: string
}

const keepAlive = new Agent({ keepAlive: true, maxSockets: 512 })

export function post(url: string, token: string | undefined, body = ''): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      agent: keepAlive,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
        'content-length': Buffer.byteLength(body),
      },
    })
    outgoing.once('error', reject)
    outgoing.once('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      answer.once('end', () =>
        answer.statusCode === 200
          ? resolve(JSON.parse(text))
          : reject(new Error(`${url} answered ${answer.statusCode}: ${text}`)),
      )
    })
    outgoing.end(body)
  })
}

export function connect({ url, socketPath, token }: JobTarget, number: string): WebSocket {
  return new WebSocket(
    `${url.replace('http', 'ws')}${socketPath}/${number}`,
    token ? [envelopeProtocol] : [],
    {
      perMessageDeflate: false,
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
    },
  )
}

/** From the request to the last frame; returns the number of bytes received. */
export async function readJob(target: JobTarget): Promise<number> {
  const { job_number: number } = await post(target.url + target.path, target.token)
  const socket = connect(target, String(number))
  let bytes = 0
  socket.on('message', (data: Buffer) => {
    bytes += data.length
    // The head of an envelope has the flag `final`.
    const head = target.token ? data.subarray(0, 200).toString('latin1') : ''
    const seq = /"seq":(\d+),"final":true/.exec(head)?.[1]
    if (seq !== undefined) socket.send(`{"type":"ack","seq":${seq}}`)
  })
  return new Promise((resolve, reject) => {
    socket.once('close', (code) =>
      code === 1000 ? resolve(bytes) : reject(new Error(`the socket was closed with ${code}`)),
    )
    socket.once('error', reject)
  })
}
