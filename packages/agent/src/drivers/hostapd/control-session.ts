import { type ChildProcess, spawn } from 'node:child_process'
import { toolEnvironment } from '../../run-tool.ts'

const replyTimeoutMs = 10_000
const maxReplyBytes = 4 * 1_048_576
const tooLong = 'answered with more than 4 MiB. Check that cli of the device starts hostapd_cli'
const maxErrorLength = 200
/** Between the end of the program and that of its output. */
const drainMs = 100
/** hostapd_cli retries by itself, but drops commands meanwhile. */
const notConnected =
  /^('PING' command failed|Not connected to hostapd|Could not connect to hostapd|Connection to hostapd lost)/

interface Pending {
  lines: string[]
  bytes: number
  resolve: (reply: string) => void
  reject: (error: Error) => void
}

/**
 * An interactive `hostapd_cli`: Node.js has no Unix datagram sockets, which the control interface of hostapd is. Each command is
 * followed by `ping`: its answer PONG ends the reply, because prompts may appear at any time, and replies need not end a line.
 * It also makes hostapd_cli print the events that it has received: without a terminal it prints them with the next reply.
 */
export class ControlSession {
  readonly #child: ChildProcess
  readonly #program: string
  readonly #listeners = new Set<(event: string) => void>()
  #pending: Pending | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #text = ''
  /** The last that it has printed on its standard error: ssh says there what is wrong. */
  #errorText = ''
  #failure: Error | undefined

  constructor([program = '', ...args]: readonly string[]) {
    this.#program = program
    // A process group without a terminal: ssh cannot ask for a password, and can be ended with its child processes.
    this.#child = spawn(program, args, { env: toolEnvironment, stdio: 'pipe', detached: true })
    this.#child.once('error', (error) =>
      this.#fail(`cannot be started: ${error.message}. Correct cli of the device`),
    )
    this.#child.once('close', () => this.#ended())
    this.#child.once('exit', () => {
      this.#killGroup()
      // Programs that it has left behind may keep its pipes open, such as the master of shared connections of ssh.
      // What it has printed is read first, also by a busy process.
      setTimeout(() => setImmediate(() => this.#ended()), drainMs)
    })
    this.#child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      this.#errorText = `${this.#errorText}${chunk}`.slice(-maxErrorLength)
    })
    // Its end is reported above.
    this.#child.stdin?.on('error', () => {})
    this.#child.stdout?.setEncoding('utf8').on('data', (chunk: string) => this.#receive(chunk))
    // What it prints at the start is not the reply to the first command.
    this.send('ping').catch(() => {})
  }

  /** It can be used no more. */
  get hasFailed(): boolean {
    return this.#failure !== undefined
  }

  /** One command after the other. Rejects if there is no reply within 10 s: the session cannot be used any more then. */
  send(command: string): Promise<string> {
    const turn = this.#turn.then(() => this.#send(command))
    this.#turn = turn.catch(() => {})
    return turn
  }

  /** Events of hostapd, such as `AP-STA-CONNECTED 02:00:…`. Returns what ends it. */
  listen(listener: (event: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.#end('was closed')
  }

  #send(command: string): Promise<string> {
    if (this.#failure) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#end(
          `did not answer to ${command.split(' ')[0]} within ${replyTimeoutMs / 1000} s. Check hostapd, and the network to it`,
        )
      }, replyTimeoutMs)
      const done = () => {
        clearTimeout(timer)
        this.#pending = undefined
      }
      this.#pending = {
        lines: [],
        bytes: 0,
        resolve: (reply) => {
          done()
          resolve(reply)
        },
        reject: (error) => {
          done()
          reject(error)
        },
      }
      this.#child.stdin?.write(command === 'ping' ? 'ping\n' : `${command}\nping\n`)
    })
  }

  #receive(chunk: string): void {
    this.#text += chunk
    if (this.#text.length > maxReplyBytes) return this.#end(tooLong)
    const lines = this.#text.split('\n')
    this.#text = lines.pop() ?? ''
    // A prompt stands before replies and events, and after replies without a line end.
    for (const line of lines) for (const part of line.split(/\r|> /)) this.#handle(part.trimEnd())
  }

  #handle(line: string): void {
    if (line === '' || line === '>') return
    const event = /^<\d>(.*)$/.exec(line)?.[1]
    if (event !== undefined) {
      for (const listener of this.#listeners) listener(event)
      return
    }
    const pending = this.#pending
    if (!pending) return
    if (line === 'PONG') return pending.resolve(pending.lines.join('\n'))
    if (notConnected.test(line))
      return this.#end('cannot reach hostapd. Check that it runs, and its ctrl_interface')
    pending.bytes += line.length
    pending.lines.push(line)
    if (pending.bytes > maxReplyBytes) this.#end(tooLong)
  }

  /** Replies could be taken for those of other commands: another session is needed. */
  #end(what: string): void {
    this.#fail(what)
    // Another process may have its number once it has exited.
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#killGroup()
    this.#closePipes()
  }

  #ended(): void {
    this.#fail(`has ended${this.#errorLine}. Check that hostapd runs, and its ctrl_interface`)
    this.#closePipes()
  }

  #killGroup(): void {
    if (this.#child.pid === undefined) return
    try {
      process.kill(-this.#child.pid, 'SIGKILL')
    } catch {
      // None of them runs any more.
    }
  }

  #closePipes(): void {
    this.#text = ''
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream?.destroy()
  }

  get #errorLine(): string {
    const line = this.#errorText.trim().split('\n').at(-1)?.trim() ?? ''
    return line === '' ? '' : `: ${line.replace(/\.$/, '')}`
  }

  #fail(what: string): void {
    this.#failure ??= new Error(`${this.#program} ${what}.`)
    this.#pending?.reject(this.#failure)
  }
}
