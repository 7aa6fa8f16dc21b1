import { setTimeout as sleep } from 'node:timers/promises'
import { runTool } from '../../run-tool.ts'
import { parseDev, parseSurvey } from '../linux/sources/iw-text.ts'
import type { Neighbour } from '../neighbours.ts'
import { ControlSession } from './control-session.ts'
import {
  isMembershipEvent,
  parseOwnReport,
  parseStationsText,
  parseStatusText,
  parseTransitionEvent,
} from './control-text.ts'
import type { BssStatus, HostapdLink, Station, TransitionAnswer } from './link.ts'
import { neighbourArgument } from './neighbour-report.ts'

const pollMs = 300
const watchPollMs = 1000
/** Beacons until the switch. */
const switchBeacons = 5
/** Longer than a reading may take (`timeout_s`), which ends it. */
const iwTimeoutMs = 600_000

/** A BSS through `hostapd_cli`: on this machine, or on another one through ssh. */
export class ControlLink implements HostapdLink {
  readonly #interface: string
  readonly #run: readonly string[]
  readonly #iw: readonly string[] | undefined
  #session: ControlSession | undefined

  /** `run` starts hostapd_cli for this interface; `iw` begins a command line of iw. */
  constructor(name: string, run: readonly string[], iw: readonly string[] | undefined) {
    this.#interface = name
    this.#run = run
    this.#iw = iw
  }

  async status(signal: AbortSignal): Promise<BssStatus> {
    const status = parseStatusText(await this.#send('status', signal), this.#interface)
    return { ...status, ...(await this.#radio(signal)) }
  }

  async stations(signal: AbortSignal): Promise<Station[]> {
    return parseStationsText(await this.#send('all_sta', signal))
  }

  async ownReport(signal: AbortSignal): Promise<string | undefined> {
    const { bssid } = parseStatusText(await this.#send('status', signal), this.#interface)
    return parseOwnReport(await this.#send('show_neighbor', signal), bssid)
  }

  async requestTransition(
    address: string,
    to: Neighbour,
    withinMs: number,
    signal: AbortSignal,
  ): Promise<TransitionAnswer | undefined> {
    const session = this.#open()
    const answers: TransitionAnswer[] = []
    const end = session.listen((event) => {
      const answer = parseTransitionEvent(event, address)
      if (answer) answers.push(answer)
    })
    try {
      const request = `bss_tm_req ${address} pref=1 abridged=1 valid_int=255 neighbor=${neighbourArgument(to.report)}`
      await this.#expectOk(request, signal)
      for (const deadline = Date.now() + withinMs; answers.length === 0 && Date.now() < deadline; ) {
        await sleep(pollMs, undefined, { signal })
        // Events are printed with replies.
        await this.#send('ping', signal)
      }
      return answers[0]
    } finally {
      end()
    }
  }

  async switchChannel(frequencyMhz: number, signal: AbortSignal): Promise<void> {
    await this.#expectOk(`chan_switch ${switchBeacons} ${frequencyMhz}`, signal)
  }

  async disconnect(address: string, signal: AbortSignal): Promise<void> {
    await this.#expectOk(`deauthenticate ${address}`, signal)
  }

  /** Without a frame: it is elsewhere. */
  async forget(address: string, signal: AbortSignal): Promise<void> {
    await this.#send(`deauthenticate ${address} tx=0`, signal)
  }

  async watch(onChange: () => void, signal: AbortSignal): Promise<void> {
    const session = this.#open()
    const end = session.listen((event) => {
      if (isMembershipEvent(event)) onChange()
    })
    try {
      while (!signal.aborted && !session.hasFailed) {
        await sleep(watchPollMs, undefined, { signal })
        await session.send('ping')
      }
    } finally {
      end()
    }
  }

  async discover(signal: AbortSignal): Promise<string[]> {
    const text = await this.#send('interface', signal)
    return text.split('\n').filter((line) => /^\S+$/.test(line))
  }

  close(): void {
    this.#session?.close()
    this.#session = undefined
  }

  #open(): ControlSession {
    if (this.#session?.hasFailed) this.#session = undefined
    this.#session ??= new ControlSession(this.#run)
    return this.#session
  }

  async #send(command: string, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted()
    return this.#open().send(command)
  }

  async #expectOk(command: string, signal: AbortSignal): Promise<void> {
    const reply = await this.#send(command, signal)
    if (/^OK$/m.test(reply)) return
    const name = command.split(' ')[0] ?? ''
    throw new Error(
      `hostapd refuses ${name}: ${reply.slice(0, 200) || 'no reply'}. Its log may have the reason.`,
    )
  }

  /** Power, noise and utilisation are not in the control interface. */
  async #radio(signal: AbortSignal): Promise<Partial<BssStatus>> {
    if (!this.#iw) return {}
    const text = async (...args: string[]) => {
      const line = [...(this.#iw ?? []), ...args]
      const { code, output } = await runTool(line, { signal, timeoutMs: iwTimeoutMs })
      if (code !== 0)
        throw new Error(`${line.join(' ')} fails: ${lastLine(output)}. Run it by hand to see why.`)
      return output
    }
    const [devices, channels] = await Promise.all([
      text('dev'),
      text('dev', this.#interface, 'survey', 'dump'),
    ])
    const survey = parseSurvey(channels)
    return {
      txPowerDbm: parseDev(devices).find(({ name }) => name === this.#interface)?.txPowerDbm,
      noiseDbm: survey?.noiseDbm,
      ...(survey?.activeMs !== undefined &&
        survey.busyMs !== undefined && { airtime: { activeMs: survey.activeMs, busyMs: survey.busyMs } }),
    }
  }
}

const lastLine = (text: string) =>
  text.trim().split('\n').at(-1)?.slice(0, 200).replace(/\.$/, '') || 'no output'
