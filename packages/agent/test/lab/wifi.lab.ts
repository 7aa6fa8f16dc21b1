import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { admin } from '@manc/harness'
import { AgentEnvironment, AgentProcess, agentFolder } from '@manc/harness/agent-process'
import { type Client, type ClientDetails, Manc } from '@manc/sdk'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { consoleEnvironment, signIn } from '../../../../e2e/console/environment.ts'
import { buildConsole } from '../../../../tools/console.ts'
import { installForWifi } from '../../../../tools/lab/host-packages.ts'
import { type AccessPointName, WifiGuest } from '../../../../tools/lab/wifi-guest.ts'
import { ConsolePages } from './console-pages.ts'

const soon = { timeout: 90_000, interval: 500 }

/** Access points of the controller, and their interfaces in the guest. */
const interfaces: Record<string, AccessPointName> = { 'lab-1': 'ap1', 'lab-2': 'ap2' }
const bssids = { ap1: '02:00:00:00:00:00', ap2: '02:00:00:00:01:00' }
/** The stations of the guest, by address. */
const stations: Record<string, string> = { '02:00:00:00:02:00': 'sta1', '02:00:00:00:03:00': 'sta2' }

/** The first run takes long; of a failed test the logs are printed. */
const progress = (text: string) => void process.stdout.write(`${text}\n`)

let environment: AgentEnvironment
let guest: WifiGuest
let manc: Manc
let gateway: AgentProcess
let folder: string
/** Of the test that moves a client, for the one that moves it back. */
let movedId: string | undefined

beforeAll(async () => {
  await installForWifi(progress)
  folder = mkdtempSync(path.join(tmpdir(), 'manc-lab-'))
  // A server looks for the built console when it starts.
  const controller = buildConsole(progress).then(() => AgentEnvironment.open())
  ;[environment, guest] = await Promise.all([controller, WifiGuest.start(progress)])
  manc = new Manc({ url: environment.server.url, credentials: admin })
  gateway = await startGateway()
  await vi.waitFor(async () => {
    const clients = await attached()
    if (clients.length !== 2)
      throw new Error(`${clients.length} of 2 clients.\n${gateway.output.slice(-4000)}`)
  }, soon)
})

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    progress(`${gateway.output.slice(-4000)}\n${await guest.run('cat /run/*.log')}`)
  await guest.setCoverage('ap1', true)
  await guest.setCoverage('ap2', true)
})

afterAll(async () => {
  await gateway?.stop()
  await guest?.stop()
  await environment?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function startGateway(): Promise<AgentProcess> {
  const { token } = await manc.enrolment.create({ ap_id_pattern: 'lab-*', max_uses: 2 })
  const settings = {
    url: environment.server.url,
    mqtt_url: environment.engines.mqtt,
    enrolment_token: token,
    state_folder: path.join(folder, 'state'),
    interval_s: 2,
    timeout_s: 30,
    access_points: Object.entries(interfaces).map(([apId, name]) => ({
      ap_id: apId,
      device: guest.deviceOf(name),
    })),
  }
  const file = path.join(folder, 'gateway.json')
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600 })
  return new AgentProcess([process.execPath, path.join(agentFolder, 'src/main.ts'), '--settings', file])
}

const attached = (): Promise<Client[]> => Array.fromAsync(manc.clients.list({ state: 'attached' }))

/** A client, or the one of this id; where it is and where it is not. */
async function clientToMove(wanted?: string) {
  const client = (await attached()).find((each) => wanted === undefined || each.id === wanted)
  const { id = '', ap_id: from = '' } = client ?? {}
  const to = from === 'lab-1' ? 'lab-2' : 'lab-1'
  return { id, from, to, source: interfaces[from] ?? 'ap1', target: interfaces[to] ?? 'ap2' }
}

/** How often a client came from another access point. */
const movesOf = (client: ClientDetails): number =>
  [client, ...client.history].filter(({ from_ap_id: from }) => from !== null).length

/** The result of the job, as the console shows it. */
async function steer({ id, from, to }: { id: string; from: string; to: string }): Promise<unknown> {
  const job = await manc.commands.send(from, `steer_client ${id} ${to}`)
  return (await job.done()).result
}

/** What both processes of hostapd have logged. */
const logs = async () => ({
  ap1: await guest.run('cat /run/ap1.log'),
  ap2: await guest.run('cat /run/ap2.log'),
})

/** What they log while the work is done. */
async function loggedDuring<T>(work: () => Promise<T>): Promise<{ result: T; log: typeof bssids }> {
  const before = await logs()
  const result = await work()
  const after = await logs()
  return { result, log: { ap1: after.ap1.slice(before.ap1.length), ap2: after.ap2.slice(before.ap2.length) } }
}

/** Answers of stations to requests to move, in a log of hostapd. */
const answersIn = (log: string) =>
  [...log.matchAll(/BSS-TM-RESP (\S+) status_code=(\d+)(?:.* target_bssid=(\S+))?/g)].map(
    ([, address = '', status, target]) => ({ address, status: Number(status), target }),
  )

/** Where a station says that it is. */
async function bssidOf(address: string): Promise<string | undefined> {
  const text = await guest.run(`wpa_cli -p /run/wpa -i ${stations[address]} status`)
  return /^wpa_state=COMPLETED$/m.test(text) ? /^bssid=(\S+)$/m.exec(text)?.[1] : undefined
}

const onEachStation = async (command: string) => {
  for (const name of Object.values(stations)) await guest.run(`wpa_cli -p /run/wpa -i ${name} ${command}`)
}

/** Stations forget failures, and scan until they know the access point. */
async function hear(bssid: string): Promise<void> {
  await onEachStation('bssid_ignore clear')
  for (const name of Object.values(stations)) {
    const cli = `wpa_cli -p /run/wpa -i ${name}`
    await expect
      .poll(() => guest.run(`${cli} scan freq=2412,2462; sleep 1; ${cli} scan_results`), soon)
      .toContain(bssid)
  }
}

/** Stations scan until they do not hear the access point, and forget that they have heard it: they try what they know. */
async function forget(bssid: string): Promise<void> {
  for (const name of Object.values(stations)) {
    const scan = `/bin/ip netns exec ${name} iw dev ${name} scan flush freq 2412 2462 | grep ^BSS || true`
    const hears = async () => {
      const heard = await guest.run(scan)
      return heard === '' || heard.includes(bssid)
    }
    await expect.poll(hears, soon).toBe(false)
  }
  await onEachStation('bss_flush 0')
}

/** Lets a station move by itself. */
async function roam(address: string, bssid: string): Promise<void> {
  if ((await bssidOf(address)) !== bssid)
    await guest.run(`wpa_cli -p /run/wpa -i ${stations[address]} roam ${bssid}`)
  await expect.poll(() => bssidOf(address), soon).toBe(bssid)
}

/** The log of hostapd and the station agree that it has moved. */
async function expectMoved(
  { source, target }: Record<'source' | 'target', AccessPointName>,
  log: typeof bssids,
) {
  const [answer] = answersIn(log[source])
  expect(answer).toMatchObject({ status: 0, target: bssids[target] })
  const address = answer?.address ?? ''
  expect(log[target]).toMatch(new RegExp(`(AP-STA-CONNECTED|EAPOL-4WAY-HS-COMPLETED) ${address}`))
  expect(await bssidOf(address)).toBe(bssids[target])
}

/** The result of a command to move if the station agrees and does not arrive. */
const agreed = { moved: false, status: 0, cause: 'The client did not arrive at the target.' }

describe('a gateway with hostapd over ssh', () => {
  it('reads the radio and the stations', async () => {
    const latest = async (names: string[]) =>
      (await environment.readings('lab-1', names)).map((values) => values.at(-1))
    await expect.poll(() => latest(['channel', 'frequency_mhz']), soon).toEqual([1, 2412])
    const all = await attached()
    for (const { signal_dbm: signal, technology } of all)
      expect([signal, technology]).toEqual([expect.any(Number), 'WiFi'])
    const throughput = async () =>
      (
        await Promise.all(
          Object.keys(interfaces).map((apId) => environment.readings(apId, ['throughput_mbps'])),
        )
      )
        .flat(2)
        .some((value) => value > 0)
    await expect.poll(throughput, soon).toBe(true)
  })

  it('moves a station, with the status of its answer, and the client has moved', async () => {
    const move = await clientToMove()
    movedId = move.id
    const { result, log } = await loggedDuring(() => steer(move))
    expect(result).toMatchObject({ client: move.id, to: move.to, moved: true, status: 0 })
    expect(result).toHaveProperty('text', expect.stringMatching(/^moved after \d+ ms$/))
    await expectMoved(move, log)
    // The controller knows where it is, and where it was.
    await expect
      .poll(() => manc.clients.get(move.id), soon)
      .toMatchObject({
        is_attached: true,
        ap_id: move.to,
        from_ap_id: move.from,
        history: [{ ap_id: move.from }],
      })
  })

  it('moves it back', async () => {
    const move = await clientToMove(movedId)
    const { result, log } = await loggedDuring(() => steer(move))
    expect(result).toMatchObject({ moved: true, status: 0 })
    expect(answersIn(log[move.source])).toMatchObject([{ status: 0, target: bssids[move.target] }])
    await expect
      .poll(async () => (await manc.clients.get(move.id)).history.map(({ ap_id: apId }) => apId), soon)
      .toEqual([move.from, move.to])
  })

  it('moves a station by a command in the console, which shows its answer and its path', async () => {
    const move = await clientToMove()
    const earlierMoves = movesOf(await manc.clients.get(move.id))
    const outcome = expect.stringMatching(
      new RegExp(`^Moved to ${move.to} in [\\d,.]+ ms, with status 0 \\(accepted\\)\\.$`),
    )
    const browser = await consoleEnvironment(environment.server)
    try {
      const page = await browser.page()
      const pages = new ConsolePages(page)
      await page.goto(`${browser.url}/clients`)
      await signIn(page, admin)
      await pages.openClient(move.id)
      const { result, log } = await loggedDuring(() => pages.move(move.to))
      expect(result.outcome).toEqual(outcome)
      await expectMoved(move, log)
      const job = await pages.job(result.jobNumber)
      expect(job).toMatchObject({ title: `steer_client ${move.id} ${move.to} → ${move.from}`, outcome })
      expect(JSON.parse(job.report)).toMatchObject({ client: move.id, moved: true, status: 0 })
      await pages.openClient(move.id)
      await expect
        .poll(() => pages.timeline(), soon)
        .toEqual({
          lanes: Object.keys(interfaces),
          newest: [
            expect.stringMatching(new RegExp(`^${move.to} \\(WiFi\\), .+ to now, .+, attached$`)),
            expect.stringMatching(new RegExp(`^${move.from} \\(WiFi\\), .+, moved$`)),
          ],
          arrows: earlierMoves + 1,
        })
    } finally {
      await browser.close()
    }
  })

  it('reports the refusal of a station that does not find the target', async () => {
    const move = await clientToMove()
    await guest.setCoverage(move.target, false)
    await forget(bssids[move.target])
    const { result, log } = await loggedDuring(() => steer(move))
    expect(result).toMatchObject({
      client: move.id,
      moved: false,
      status: 7,
      cause: 'The client finds no suitable candidate.',
    })
    const [answer] = answersIn(log[move.source])
    expect(answer?.status).toBe(7)
    expect(await bssidOf(answer?.address ?? '')).toBe(bssids[move.source])
    expect(await manc.clients.get(move.id)).toMatchObject({ is_attached: true, ap_id: move.from })
  })

  it('does not take the agreement of a station for a move', async () => {
    const move = await clientToMove()
    await hear(bssids[move.target])
    await guest.setCoverage(move.target, false)
    const { result, log } = await loggedDuring(() => steer(move))
    expect(result).toMatchObject(agreed)
    const [answer] = answersIn(log[move.source])
    expect(answer?.status).toBe(0)
    // It comes back to where it was.
    await expect.poll(() => bssidOf(answer?.address ?? ''), soon).toBe(bssids[move.source])
  })

  it('does not take an earlier visit of a station to the target for a move', async () => {
    const { from, to, source, target } = await clientToMove()
    await hear(bssids.ap1)
    await hear(bssids.ap2)
    // All stations leave the target by themselves. It lists them on: there is no message between access points.
    const addresses = Object.keys(stations)
    for (const bssid of [bssids[target], bssids[source]])
      for (const address of addresses) await roam(address, bssid)
    for (const address of addresses)
      expect(await guest.run(`hostapd_cli -p /run/hostapd -i ${target} all_sta`)).toContain(address)
    await expect
      .poll(async () => (await attached()).map(({ ap_id: apId }) => apId), soon)
      .toEqual(addresses.map(() => from))
    const [client] = await attached()
    await hear(bssids[target])
    await guest.setCoverage(target, false)
    expect(await steer({ id: client?.id ?? '', from, to })).toMatchObject(agreed)
  })
})
