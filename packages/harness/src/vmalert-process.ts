import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPrograms } from '../../../tools/engines/programs.ts'
import { withoutDelay } from '../../../tools/engines/vmalert.ts'
import { closedPort } from './ports.ts'

interface Options {
  /** A file, or a URL where the version supports that. */
  rules: string
  victoria: string
  /** The internal listener of a server. */
  notifier: string
  /** With the value of MANC_ALARM_SECRET. */
  passwordFile?: string
}

/** The path of the program in the file system of this machine. */
export function vmalertProgram(): string {
  const { root = '', vmalert } = findPrograms()
  if (!vmalert) throw new Error('vmalert was not found: it is in the package of VictoriaMetrics.')
  return root + vmalert
}

/** The real vmalert, for suites that need one: it uses the metrics store that all suites share. */
export class Vmalert {
  readonly #options: Options
  #child: ChildProcess | undefined
  #output = ''
  #url = ''

  constructor(options: Options) {
    this.#options = options
  }

  get output(): string {
    return this.#output
  }

  /** Its own metrics are there. */
  get url(): string {
    return this.#url
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const { rules, victoria, notifier, passwordFile } = this.#options
    const address = `127.0.0.1:${await closedPort()}`
    this.#url = `http://${address}`
    const program = vmalertProgram()
    const child = spawn(
      program,
      [
        `-rule=${rules}`,
        `-datasource.url=${victoria}`,
        `-notifier.url=${notifier}`,
        `-httpListenAddr=${address}`,
        '-configCheckInterval=1s',
        ...(passwordFile === undefined
          ? []
          : ['-notifier.basicAuth.username=vmalert', `-notifier.basicAuth.passwordFile=${passwordFile}`]),
        ...withoutDelay(program),
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text
      })
    this.#child = child
    while (!(await answers(`${this.#url}/health`))) {
      if (child.exitCode !== null) throw new Error(`vmalert ended:\n${this.#output}`)
      await sleep(100)
    }
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
