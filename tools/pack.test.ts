import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { admin } from '@manc/harness'
import { AgentEnvironment, AgentProcess, soon } from '@manc/harness/agent-process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

const root = path.join(import.meta.dirname, '..')
const packages = ['contract', 'sdk', 'cli', 'agent']
const compiler = path.join(root, 'node_modules/@typescript/native/bin/tsc')

let folder: string
let project: string
let environment: AgentEnvironment

const run = async (program: string, args: string[], cwd: string, variables: Record<string, string> = {}) => {
  const env = { ...process.env, ...variables }
  return (await promisify(execFile)(program, args, { cwd, env, timeout: 240_000 })).stdout
}
const installed = (name: string) => path.join(project, 'node_modules/.bin', name)

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'manc-pack-'))
  // Of a copy: packing changes the package for a moment, and others are being tested beside.
  const clone = path.join(folder, 'clone')
  for (const name of ['tools/pack.ts', 'tsconfig.json', 'package.json', 'LICENSE'])
    cpSync(path.join(root, name), path.join(clone, name))
  for (const name of packages)
    cpSync(path.join(root, 'packages', name), path.join(clone, 'packages', name), {
      recursive: true,
      filter: (file) => !/\/(dist|node_modules)$/.test(file),
    })
  symlinkSync(path.join(root, 'node_modules'), path.join(clone, 'node_modules'))
  const tarballs = path.join(folder, 'tarballs')
  mkdirSync(tarballs)
  for (const name of packages) {
    await run('npm', ['pack', '--pack-destination', tarballs], path.join(clone, 'packages', name))
    expect(readdirSync(path.join(clone, 'packages', name))).not.toContain('.package.json')
  }
  project = path.join(folder, 'project')
  mkdirSync(project)
  writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }')
  const files = readdirSync(tarballs).map((file) => path.join(tarballs, file))
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...files], project)
  environment = await AgentEnvironment.open()
}, 900_000)

afterAll(async () => {
  await environment?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('packages installed in an empty project', () => {
  it('contain only the files that they need', () => {
    const modules = path.join(project, 'node_modules/@manc')
    expect(readdirSync(modules).toSorted()).toEqual(packages.toSorted())
    for (const name of packages) {
      const all = readdirSync(path.join(modules, name), { recursive: true }) as string[]
      expect(all.filter((file) => /\.test\.|(?<!\.d)\.ts$|^src/.test(file))).toEqual([])
      expect(all).toContain('LICENSE')
    }
  })

  it('the packed SDK calls a controller, and its types resolve', async () => {
    writeFileSync(
      path.join(project, 'app.ts'),
      `import { Manc } from '@manc/sdk'
       import { connectAgent } from '@manc/sdk/agent'
       const { URL: url = '', NAME: username = '', WORD: password = '' } = process.env
       const manc = new Manc({ url, credentials: { username, password } })
       const me = await manc.users.me()
       const name: string = me.username ?? ''
       // @ts-expect-error -- a name is no number
       const wrong: number = me.username ?? ''
       console.log(name, typeof connectAgent, typeof wrong)
      `,
    )
    const options = ['--module', 'nodenext', '--target', 'es2024', '--strict', '--types', 'node']
    const types = ['--typeRoots', path.join(root, 'node_modules/@types')]
    await run(process.execPath, [compiler, '--outDir', 'built', ...options, ...types, 'app.ts'], project)
    const variables = { URL: environment.server.url, NAME: admin.username, WORD: admin.password }
    const output = await run(process.execPath, ['built/app.js'], project, variables)
    expect(output).toBe(`${admin.username} function string\n`)
  })

  it('provide a working command line', async () => {
    expect(await run(installed('manc'), ['--version'], project)).toBe(`${manifest.version}\n`)
    const variables = {
      MANC_URL: environment.server.url,
      MANC_TOKEN: environment.token,
      XDG_CONFIG_HOME: folder,
    }
    const me = await run(installed('manc'), ['users', 'me', '--json'], project, variables)
    expect(JSON.parse(me)).toMatchObject({ username: admin.username })
    expect(await run(installed('manc'), ['completion', 'bash'], project)).toContain('manc')
  })

  it('provide an agent that enrols and sends samples', async () => {
    const settings = path.join(folder, 'agent.json')
    writeFileSync(
      settings,
      JSON.stringify({
        url: environment.server.url,
        mqtt_url: environment.engines.mqtt,
        ap_id: 'packed-1',
        enrolment_token: await environment.enrolmentToken('packed-*'),
        state_folder: path.join(folder, 'state'),
        interval_s: 1,
        plugins: [path.join(project, 'node_modules/@manc/agent/examples')],
      }),
    )
    const device = new AgentProcess([installed('manc-agent'), '--settings', settings])
    try {
      const read = async () =>
        (await environment.readings('packed-1', ['uptime_s', 'tcp_connections'])).map(
          (values) => values.length,
        )
      await expect
        .poll(read, soon)
        .toSatisfy((counts: number[]) => counts.length === 2 && Math.min(...counts) > 0)
    } finally {
      await device.stop()
    }
  })
})
