/** `npm run emulator`: takes parts of emulations off the broker and runs their agents. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { jobQueue } from '@manc/contract/broker'
import { parsePartMessage } from '@manc/contract/emulation-parts'
import amqp from 'amqplib'
import type { Cells } from './command.ts'
import { Controller, NotAllowed } from './controller.ts'
import { Part } from './part.ts'

const help = `npm run emulator: runs emulated access points, as many processes of it as you like

  MANC_API_URL            the controller, for example http://localhost:8080
  MANC_MQTT_URL           where its agents connect, for example mqtt://localhost:1883
  MANC_RABBITMQ_URL       the broker that tells of emulations
  MANC_EMULATOR_APP       name and key of an app with the scope callbacks:post,
  MANC_EMULATOR_KEY       with which it reports
  MANC_EMULATOR_PARTS     parts of up to 250 agents that this process runs at once (40)

npm run dev starts one.`

const { values } = parseArgs({ options: { help: { type: 'boolean' } } })
if (values.help) {
  process.stdout.write(`${help}\n`)
  process.exit(0)
}

const queue = jobQueue('emulator_spinup')
const fetchEveryMs = 200
const settings = {
  url: needed('MANC_API_URL'),
  mqttUrl: needed('MANC_MQTT_URL'),
  rabbitMqUrl: needed('MANC_RABBITMQ_URL'),
  appName: needed('MANC_EMULATOR_APP'),
  apiKey: needed('MANC_EMULATOR_KEY'),
  parts: numberOf('MANC_EMULATOR_PARTS', 40),
}
const log = (line: string) => void process.stdout.write(`${new Date().toISOString()} ${line}\n`)
const emulator = randomUUID()
const controller = new Controller(settings)
/** By job and part. */
const running = new Map<string, Part>()
const cells: Cells = new Map()
const stopping = new AbortController()

for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.on(signal, () => void stop())
log(`emulator ${emulator} for ${settings.url}`)
while (!stopping.signal.aborted) {
  try {
    await consume()
  } catch (error) {
    log(`the broker cannot be reached: ${(error as Error).message}`)
  }
  await sleep(1000)
}

/**
 * Until the connection ends. What was not acknowledged comes again, to whoever is there. Parts are fetched one by one, and only
 * while there is room: one that was sent to us to wait here would be kept from an emulator that is free.
 */
async function consume(): Promise<void> {
  const connection = await amqp.connect(settings.rabbitMqUrl, { timeout: 5000 })
  const closed = new AbortController()
  connection.once('close', () => closed.abort())
  connection.on('error', (error: Error) => log(`the broker: ${error.message}`))
  try {
    const channel = await connection.createChannel()
    channel.on('error', (error: Error) => log(`the broker: ${error.message}`))
    while (!closed.signal.aborted && !stopping.signal.aborted) {
      const message = running.size < settings.parts && (await channel.get(queue))
      if (!message) await sleep(fetchEveryMs)
      else
        void take(message.content).then((isDone) => {
          try {
            if (isDone) channel.ack(message)
          } catch {
            // The channel is gone: it comes again, and the lease tells that it is ours already.
          }
        }, giveBack)
    }
  } finally {
    if (!closed.signal.aborted) await connection.close()
  }
}

/** True when the part is ours, or somebody else's; ours is run from then on. False where it is left to others. */
async function take(content: Buffer): Promise<boolean> {
  const message = parsePartMessage(content.toString('utf8'))
  if (!message) {
    log('a message that is none was left out')
    return true
  }
  const name = `${message.job_number} ${message.data.part}`
  // Lost, and offered to us again: not before its agents are gone.
  while (running.get(name)?.isStopping) await sleep(100)
  // Told of once more: our word to the broker was lost.
  if (running.has(name)) return true
  const part = new Part({ message, ...settings, controller, cells, emulator, log })
  running.set(name, part)
  const isOurs = !stopping.signal.aborted && (await part.accept())
  if (!isOurs || stopping.signal.aborted) {
    running.delete(name)
    return !stopping.signal.aborted
  }
  void part.run().finally(() => running.delete(name))
  return true
}

/** What it took goes to an emulator that may run it. */
function giveBack(error: unknown): void {
  if (!(error instanceof NotAllowed)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}

/** Others go on with what is under way as soon as its lease has lapsed. */
async function stop(): Promise<void> {
  if (stopping.signal.aborted) return
  stopping.abort()
  log('stopping …')
  for (const part of running.values()) part.stop()
  const deadline = Date.now() + 10_000
  while (running.size > 0 && Date.now() < deadline) await sleep(100)
  process.exit(0)
}

function numberOf(name: string, usual: number): number {
  const value = Number(process.env[name] ?? usual)
  if (Number.isSafeInteger(value) && value > 0) return value
  process.stderr.write(`${name} is to be a number of at least 1.\n\n${help}\n`)
  process.exit(2)
}

function needed(name: string): string {
  const value = process.env[name]
  if (value) return value
  process.stderr.write(`${name} is not set.\n\n${help}\n`)
  process.exit(2)
}
