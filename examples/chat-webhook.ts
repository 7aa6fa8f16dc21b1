/**
 * A receiver of notifications that posts them to a chat: Slack, Mattermost, Rocket.Chat, or any with an incoming webhook that
 * takes {"text": "…"}. It has no account at the controller and needs no scope: the controller signs each message with a secret.
 * An administrator creates the receiver and a route, and the first command prints the secret:
 *
 *     npx manc notifications create-receiver '{"name": "Chat", "type": "webhook", "url": "https://hooks.example.org/"}'
 *     npx manc notifications create-route '{"name": "Chat", "receiver_id": "…", "severities": ["critical"]}'
 *
 * MANC_WEBHOOK_SECRET is that secret. CHAT_WEBHOOK_URL is the address at the chat, which is a secret too; without it texts
 * are printed. It listens at HOST (127.0.0.1) and PORT (8090): put a proxy with TLS before it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'

/** Messages that are older are refused: they may have been recorded. */
const maxAgeS = 300
/** A message has at most 100 alarms. */
const maxBytes = 1_048_576
/** Less than the controller waits for a response. */
const chatTimeoutMs = 8000
/** Alarms of a message that are listed in the chat; the others are counted. */
const maxLines = 10
/** Messages that are remembered: the controller sends a message again if it did not get the response. */
const maxRemembered = 1000

interface Notification {
  status: 'firing' | 'resolved'
  truncatedAlerts: number
  commonLabels: Record<string, string>
  alerts: { status: string; annotations: Record<string, string>; generatorURL: string }[]
}

const { MANC_WEBHOOK_SECRET: secret = '', CHAT_WEBHOOK_URL: chatUrl } = process.env
const { HOST: host = '127.0.0.1', PORT: port = '8090' } = process.env
if (secret === '') {
  const next =
    'It is in the response to create-receiver; npx manc notifications rotate-secret ID makes another.'
  process.stderr.write(`MANC_WEBHOOK_SECRET is not set. ${next}\n`)
  process.exit(2)
}

/** By id. A request that comes while the same message is posted waits for it. */
const posts = new Map<string, Promise<void>>()
/** The ids of messages by their signatures. */
const signed = new Map<string, string>()
/** With the status of the response. After 401 and 502 the controller sends a message again, after 400, 405 and 413 not. */
class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
  receive(request).then(
    () => response.end(),
    (error: Error) => {
      log(`refused: ${error.message}`)
      response
        .writeHead(error instanceof Refusal ? error.status : 500, { connection: 'close' })
        .end(error.message)
    },
  )
})
server.listen(Number(port), host, () => {
  const use = chatUrl ? 'posted to the chat' : 'printed: CHAT_WEBHOOK_URL is not set'
  log(`listening at ${host}:${port}; messages are ${use}`)
})
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => server.close(() => log('stopped')))

async function receive(request: IncomingMessage): Promise<void> {
  if (request.method !== 'POST') throw new Refusal(405, 'Send notifications with POST.')
  const body = await bodyOf(request)
  if (!isGenuine(request, body))
    throw new Refusal(
      401,
      'The signature or its time is wrong. Compare the secret, and the clocks of both machines.',
    )
  const { 'x-manc-delivery': delivery, 'x-manc-signature': signature } = request.headers
  const id = String(delivery)
  // The id is not signed: with another one, a recorded message would be posted again.
  if ((signed.get(String(signature)) ?? id) !== id)
    throw new Refusal(
      401,
      'The signature was used with another id. Keep the id of a message, or sign it again.',
    )
  signed.set(String(signature), id)
  for (const remembered of [posts, signed])
    for (const oldest of remembered.keys()) if (remembered.size > maxRemembered) remembered.delete(oldest)
  await (posts.get(id) ?? postOnce(id, textIn(body)))
}

async function postOnce(id: string, text: string): Promise<void> {
  const posting = post(text)
  // Before the first await: the same message may come twice at the same time.
  posts.set(id, posting)
  try {
    await posting
  } catch (error) {
    posts.delete(id)
    throw error
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Refusal(413, 'The body has more than 1 MiB.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** HMAC-SHA256 of the time, a dot and the body as it was received. */
function isGenuine({ headers }: IncomingMessage, body: Buffer): boolean {
  const time = String(headers['x-manc-timestamp'])
  const expected = Buffer.from(
    `v1=${createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')}`,
  )
  const given = Buffer.from(String(headers['x-manc-signature']))
  const isRecent = Math.abs(Date.now() / 1000 - Number(time)) <= maxAgeS
  return isRecent && given.length === expected.length && timingSafeEqual(given, expected)
}

function textIn(body: Buffer): string {
  try {
    return textOf(JSON.parse(body.toString()) as Notification)
  } catch {
    throw new Refusal(400, 'The body is no notification. Send the JSON of the webhook of Alertmanager.')
  }
}

function textOf({ status, alerts, truncatedAlerts, commonLabels }: Notification): string {
  const title = `${status === 'firing' ? 'Alarm' : 'Cleared'}: ${commonLabels['alertname'] ?? 'several rules'}`
  const lines = alerts
    .slice(0, maxLines)
    .map(
      (each) =>
        `${each.status === 'firing' ? 'open' : 'cleared'}: ${each.annotations['summary']} ${each.generatorURL}`,
    )
  const more = alerts.length - lines.length + truncatedAlerts
  return [title, ...lines, ...(more > 0 ? [`and ${more} more`] : [])].map(escaped).join('\n')
}

/** Names of rules are texts of users, and must not become links or mentions such as <!channel> or @all. */
function escaped(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '@': '@\u200b' }
  return text.replaceAll(/[&<>@]/g, (character) => entities[character] ?? character)
}

async function post(text: string): Promise<void> {
  if (!chatUrl) return log(text)
  const options = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  }
  const limits = { redirect: 'error', signal: AbortSignal.timeout(chatTimeoutMs) } as const
  const { ok, status } = await fetch(chatUrl, { ...options, ...limits }).catch(() => ({
    ok: false,
    status: 0,
  }))
  if (!ok)
    throw new Refusal(
      502,
      `The chat did not accept the message (${status || 'no response'}). Check CHAT_WEBHOOK_URL.`,
    )
}

function log(line: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
}
