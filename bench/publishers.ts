/** A few MQTT agents in a separate process that publish as fast as the broker acknowledges. */
import { agentTopic, measurementOf } from '@manc/contract'
import { connect, type MqttClient } from 'mqtt'

export interface Publishing {
  mqttUrl: string
  agents: { apId: string; token: string }[]
  metrics: number
  /** Unacknowledged messages per agent. */
  inFlight: number
  /** In a message of the form `json`. */
  samples: number
  /** JSON as agents send it, or lines in the store's format. */
  form: 'json' | 'lines'
}

process.once('message', (publishing) => void run(publishing as Publishing))

async function run({ mqttUrl, agents, metrics, inFlight, samples, form }: Publishing): Promise<void> {
  const names = Array.from({ length: metrics }, (_, n) => `metric_${n}`)
  const clients = await Promise.all(agents.map((agent) => open(mqttUrl, agent)))
  process.send?.('connected')
  let clock = Date.now()
  agents.forEach(({ apId }, n) => {
    const client = clients[n]
    const next = () => {
      const ts = clock
      clock += samples
      const message = form === 'json' ? json(names, ts, samples) : line(apId, names, ts)
      client?.publish(agentTopic(apId, 'data'), message, { qos: 1 }, (error) => (error ? undefined : next()))
    }
    for (let sent = 0; sent < inFlight; sent++) next()
  })
  // Timestamps run ahead of the clock above 1,000 samples/s, so start in the past: they must not reach the future.
  setInterval(() => {
    if (clock > Date.now() + 1_800_000) clock = Date.now()
  }, 1000)
}

const sample = (names: string[], ts: number) =>
  `{"ts":${ts},"payload":{${names.map((name, n) => `"${name}":${(ts % 1000) + n}`).join(',')}}}`

const json = (names: string[], ts: number, samples: number) =>
  samples === 1
    ? sample(names, ts)
    : `{"samples":[${Array.from({ length: samples }, (_, n) => sample(names, ts + n)).join(',')}]}`

const line = (apId: string, names: string[], ts: number) =>
  `${measurementOf(apId)},ap_id=${apId} ${names.map((name, n) => `${name}=${(ts % 1000) + n}`).join(',')} ${ts}\n`

function open(url: string, { apId, token }: { apId: string; token: string }): Promise<MqttClient> {
  const client = connect(url, {
    clientId: apId,
    username: apId,
    password: token,
    protocolVersion: 4,
    clean: true,
  })
  return new Promise((resolve, reject) => {
    client.once('connect', () => resolve(client))
    client.once('error', reject)
  })
}
