import { connect } from 'node:net'
import { output } from '../images/run.ts'
import type { ComposeInstallation } from './compose-installation.ts'

const lastPort = 65_535
const atOnce = 500

/** Scans all ports of this machine. Those of the installation must be HTTPS and MQTT alone. */
export async function checkPorts(installation: ComposeInstallation): Promise<number> {
  const before = await portsOfOtherPrograms()
  const open = await openPorts(installation.host)
  const others = new Set([...before, ...(await portsOfOtherPrograms())])
  const answering: number[] = []
  // Once more: another program may have listened for a moment.
  for (const port of open)
    if (!others.has(port) && (await answers(installation.host, port))) answering.push(port)
  const expected = [installation.httpsPort, installation.mqttPort].toSorted((a, b) => a - b)
  if (answering.join() !== expected.join())
    throw new Error(`Ports that answer: ${answering.join()}; published: ${expected.join()}.`)
  return answering.length
}

async function openPorts(host: string): Promise<number[]> {
  const open: number[] = []
  let next = 1
  const worker = async () => {
    while (next <= lastPort) {
      const port = next++
      if (await answers(host, port)) open.push(port)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return open.toSorted((a, b) => a - b)
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 3000 })
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
}

/** Ports of programs outside of containers. Published ports are held open by conmon. */
async function portsOfOtherPrograms(): Promise<Set<number>> {
  const lines = (await output('ss', ['-H', '-ltnp'])).split('\n')
  return new Set(
    lines
      .filter((line) => !line.includes('"conmon"'))
      .map((line) => Number(line.split(/\s+/)[3]?.split(':').at(-1))),
  )
}
