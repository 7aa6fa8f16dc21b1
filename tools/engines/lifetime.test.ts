import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, onTestFailed, test, vi } from 'vitest'
import { isRoot } from './accounts.ts'
import { attachSet, startSet } from './index.ts'
import { processesNaming, sql, until } from './test-probes.ts'

vi.setConfig({ testTimeout: 240_000 })

const run = promisify(execFile)
const scratch = mkdtempSync(join(tmpdir(), 'manc-engines-test-'))
chmodSync(scratch, 0o755)
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function temporaryDir(): string {
  const dir = mkdtempSync(join(scratch, 'owner-'))
  chmodSync(dir, 0o755)
  return dir
}

/** Starts an owner and kills it at the first line that matches, after `before` has had its turn. */
async function killOwner(
  at: RegExp,
  { dir = '', temporary = scratch, before = async (_line: string) => {} } = {},
): Promise<void> {
  const script = fileURLToPath(new URL('./test-owner.ts', import.meta.url))
  const owner = spawn(process.execPath, [script, dir], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    for await (const line of createInterface(owner.stdout)) {
      if (!at.test(line)) continue
      await before(line)
      const gone = once(owner, 'exit')
      owner.kill('SIGKILL')
      await gone
      return
    }
  } finally {
    owner.kill('SIGKILL')
  }
  throw new Error('The owner ended by itself')
}

const cli = (dir: string, ...args: string[]) =>
  run(process.execPath, [join(import.meta.dirname, 'cli.ts'), ...args], {
    env: { ...process.env, MANC_ENGINES_DIR: dir, TMPDIR: scratch },
  })

describe('the lifetime of a set', () => {
  test('ends with its owner, killed in the middle of its start', async () => {
    const temporary = temporaryDir()
    await killOwner(/postgres is ready/, { temporary })
    await until(() => processesNaming(temporary).length === 0)
    expect(readdirSync(temporary)).toEqual([])
  })

  test('of one from the command line lasts until down, wherever its data is', async () => {
    // Closed to the engines' users, as a clone below a private home is.
    const dir = join(mkdtempSync(join(scratch, 'closed-')), 'sets')
    onTestFailed(async () => {
      await cli(dir, 'down', '--all')
    })
    const { stdout } = await cli(dir, 'up', '--set', 'one')
    expect(stdout).toMatch(/Ready in [\d.]+ s/)
    expect(stdout.includes("closed to the engines' users")).toBe(isRoot())
    expect((await cli(dir, 'up', '--set', 'one')).stdout).toContain('running already')
    const set = attachSet(join(dir, 'one'))
    expect(await sql(set.urls.postgres, 'select 1')).toBe('1')

    expect((await cli(dir, 'kill', 'victoria', '--set', 'one')).stdout).toContain(
      'victoria of "one" is killed',
    )
    expect((await cli(dir, 'status')).stdout).toMatch(/one +victoria +stopped/)
    const stranger = createServer().listen(set.ports.victoria, '127.0.0.1')
    await once(stranger, 'listening')
    expect((await cli(dir, 'up', '--set', 'one')).stdout).toMatch(/victoria is ready/)
    stranger.close()
    expect(attachSet(set.dir).ports.victoria).not.toBe(set.ports.victoria)

    expect((await cli(dir, 'down', '--all')).stdout).toContain(`removed ${set.dataDir}`)
    expect(processesNaming(basename(set.dataDir))).toEqual([])
    expect((await cli(dir, 'status')).stdout).toContain('There are no sets')
  })

  test.concurrent('ends with its owner, killed when it is ready', async () => {
    const temporary = temporaryDir()
    await killOwner(/^\{/, { temporary })
    await until(() => processesNaming(temporary).length === 0)
    expect(readdirSync(temporary)).toEqual([])
  })

  test.concurrent('of an owned set ends with its owner, and the next owner finds its data', async () => {
    const dir = join(temporaryDir(), 'owned')
    await killOwner(/^\{/, {
      dir,
      before: async (line) => {
        const { postgres } = JSON.parse(line) as { postgres: string }
        await sql(postgres, 'create table kept as select 42 as answer')
      },
    })
    const set = await startSet({ dir, owned: true })
    expect(await sql(set.urls.postgres, 'select answer from kept')).toBe('42')
    await set.down()
    expect(processesNaming(dir)).toEqual([])
    expect(readdirSync(dir)).toContain('state.json')
  })
})
