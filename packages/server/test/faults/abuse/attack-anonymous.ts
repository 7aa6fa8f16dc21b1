import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { socketPath } from '@manc/contract'
import type { Attack } from './attack.ts'

const json = JSON.stringify
const maxIdle = 400
const numbers = `[${'9'.repeat(308)}${`,${'9'.repeat(308)}`.repeat(3300)}]`
const asForm = { 'content-type': 'application/x-www-form-urlencoded' }

/** One address without an account. */
export function attackAsAnonymous(attack: Attack): Promise<unknown> {
  const post = (path: string, body: string, headers = {}) =>
    attack.send({ method: 'POST', path, body, headers })
  const logIn = (username: string, type = 'user') =>
    post(
      `/api/v1/token/?login_type=${type}`,
      new URLSearchParams({ username, password: randomUUID() }).toString(),
      asForm,
    )
  const { mqttUrl, others } = attack.options
  return Promise.all([
    attack.repeat('logins with random names', 8, () => logIn(`${randomUUID()}@abuse.test`)),
    attack.repeat('logins as the administrator', 4, () => logIn(attack.options.administrator)),
    attack.repeat('logins as an agent', 2, () => logIn(others[0] ?? '', 'agent')),
    attack.repeat('MQTT logins', 8, () => mqttLogin(attack, randomUUID())),
    attack.repeat('MQTT logins as another agent', 4, () => mqttLogin(attack, attack.other())),
    attack.repeat('sign-ups', 8, () =>
      post('/api/v1/users/signup', json({ username: `${randomUUID()}@abuse.test`, password: 'password-1' })),
    ),
    attack.repeat('password recovery', 4, () =>
      post('/api/v1/users/password-recovery', json({ username: `${randomUUID()}@abuse.test` })),
    ),
    attack.repeat('long numbers', 2, () => post('/api/v1/users/password-recovery', numbers)),
    attack.repeat('large bodies', 2, () => post('/api/v1/users/signup', `"${'x'.repeat(1_000_000)}"`)),
    attack.repeat('too large bodies', 2, () => post('/api/v1/callback/agent_data', 'x'.repeat(4_000_000))),
    attack.repeat('sockets without a token', 4, () =>
      attack.send({
        path: `${socketPath}/${randomUUID()}`,
        headers: {
          connection: 'upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'eHh4eHh4eHh4eHh4eHh4eA==',
        },
      }),
    ),
    attack.repeat('enrolment tokens', 4, () =>
      post('/api/v1/agents/public', '{}', { authorization: `Bearer enrol_${randomUUID()}` }),
    ),
    attack.repeat('readiness', 4, () => attack.send({ path: '/readyz' })),
    attack.repeat('pages', 4, () => attack.send({ path: '/' })),
    attack.repeat('interface description', 2, () => attack.send({ path: '/openapi.json' })),
    attack.repeat('unknown paths', 2, () => attack.send({ path: `/${'a/'.repeat(4000)}` })),
    attack.repeat('idle connections', 4, () => idle(attack, attack.url)),
    attack.repeat('slow headers', 4, () => slow(attack, 'GET / HTTP/1.1\r\nhost: x\r\nx-a: ')),
    attack.repeat('slow bodies', 4, () =>
      slow(
        attack,
        'POST /api/v1/users/signup HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n',
      ),
    ),
    attack.repeat('MQTT garbage', 2, async () => {
      const socket = await attack.connect(mqttUrl)
      socket.end(Buffer.from(randomUUID().repeat(50)))
      return 'sent'
    }),
    attack.repeat('idle MQTT connections', 1, () => idle(attack, mqttUrl)),
  ])
}

async function mqttLogin(attack: Attack, apId: string): Promise<string> {
  const client = await attack.connectMqtt({ clientId: apId, username: apId, password: randomUUID() })
  client.end(true)
  return 'connected'
}

let idleConnections = 0

async function idle(attack: Attack, target: string): Promise<string> {
  if (idleConnections >= maxIdle) return sleep(1000).then(() => 'enough')
  idleConnections += 1
  const socket = await attack.connect(target)
  socket.resume().once('close', () => {
    idleConnections -= 1
  })
  return 'open'
}

/** Sends the start of a request, and then one byte a second. */
async function slow(attack: Attack, start: string): Promise<string> {
  if (idleConnections >= maxIdle) return sleep(1000).then(() => 'enough')
  idleConnections += 1
  const socket = await attack.connect(attack.url)
  socket.resume().write(start)
  const timer = setInterval(() => socket.write('a'), 1000)
  socket.once('close', () => {
    clearInterval(timer)
    idleConnections -= 1
  })
  return 'open'
}
