import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import {
  admin,
  call,
  createEnvironment,
  logIn,
  runServerCommand,
  startServerProcess,
  type TestEnvironment,
  uniqueName,
} from '@manc/harness'
import { test } from '@manc/harness/fixture'
import { describe, expect, inject } from 'vitest'

const it = test.override('withServer', false)

let environment: TestEnvironment
/** An administrator. */
let root: string

it.beforeAll(({ environment: own }) => {
  environment = own
})

describe('manc-server', () => {
  it('shows its commands with --help', async () => {
    const { code, output } = await runServerCommand(['--help'], {})
    expect(code).toBe(0)
    for (const word of [
      '--role',
      'migrate',
      'admin create',
      'keys status',
      'keys rotate',
      'docs/configuration.md',
    ])
      expect(output).toContain(word)
  })

  it('exits with a message that names every invalid setting', async () => {
    const { code, output } = await runServerCommand([], {
      MANC_PORT: 'many',
      MANC_TOKEN_KEY: 'short',
      MANC_COLOUR: 'red',
      MANC_DATA_KEY_FILE: '/nowhere/key',
    })
    expect(code).toBe(2)
    for (const name of [
      'MANC_PORT',
      'MANC_TOKEN_KEY',
      'MANC_COLOUR',
      'MANC_DATA_KEY_FILE',
      'MANC_DATABASE_URL',
    ])
      expect(output).toContain(name)
    expect(output).not.toContain('short')
  })

  it('names an invalid URL or network without showing its secrets', async () => {
    const { code, output } = await runServerCommand([], {
      ...environment.variables,
      MANC_SMTP_URL: 'smtp://user:s3cretMail@mail:port',
      MANC_RABBITMQ_URL: 'amqp://manc:s3cretBroker@b1:5672,b2:port',
      MANC_DATABASE_URL: 'postgres://manc:s3cretData@db1/manc,postgres://manc:s3cretData@db2/manc',
      MANC_TRUSTED_PROXIES: 'my-proxy',
      MANC_BOOTSTRAP_ADMIN_USERNAME: 'not-an-address',
    })
    expect(code).toBe(2)
    for (const name of [
      'MANC_SMTP_URL',
      'MANC_RABBITMQ_URL',
      'MANC_DATABASE_URL',
      'MANC_TRUSTED_PROXIES',
      'MANC_BOOTSTRAP_ADMIN_USERNAME',
    ])
      expect(output).toContain(name)
    expect(output).not.toContain('s3cret')
  })

  it('does not start with sign-ups that are confirmed by e-mail and without a mail server', async () => {
    const { MANC_SMTP_URL: _unused, ...variables } = environment.variables
    const { code, output } = await runServerCommand([], { ...variables, MANC_SIGNUP: 'confirmed' })
    expect(code).toBe(2)
    expect(output).toContain('MANC_SMTP_URL is missing. Set it to your mail server, or set MANC_SIGNUP to')
  })

  it('rejects an unknown role, command or option and refers to --help', async () => {
    const wrong = [['--role', 'king'], ['fly'], ['--wings'], ['admin', 'create']]
    const ends = await Promise.all(wrong.map((words) => runServerCommand(words, environment.variables)))
    for (const [n, { code, output }] of ends.entries()) {
      expect([wrong[n], code]).toEqual([wrong[n], 2])
      expect(output).toContain('manc-server --help')
    }
  })

  it('migrates a database, and repeating it changes nothing', async () => {
    for (let n = 0; n < 2; n++)
      expect((await runServerCommand(['migrate'], environment.variables)).code).toBe(0)
    const rows = await environment.sql('select count(*)::int as n from users')
    expect(rows).toEqual([{ n: 0 }])
  })

  it('works with the schema of a newer version', async () => {
    await environment.sql(
      `insert into kysely_migration (name, timestamp) values ('9999-from-the-future', now())`,
    )
    const { code, output } = await runServerCommand(['migrate'], environment.variables)
    await environment.sql(`delete from kysely_migration where name like '9999%'`)
    expect([code, output]).toEqual([0, expect.stringContaining('newer version')])
  })

  it('prints a setup token while there is no administrator, which creates exactly one', async () => {
    // Of its own: an attempt that failed may have made the administrator.
    const empty = await createEnvironment(inject('engines'))
    const {
      MANC_BOOTSTRAP_ADMIN_USERNAME: _n,
      MANC_BOOTSTRAP_ADMIN_PASSWORD: _p,
      ...variables
    } = empty.variables
    const server = await startServerProcess(variables)
    const token = /Bearer (setup_[\w-]+)/.exec(server.output())?.[1] ?? ''
    const create = (username: string, roles: string[]) =>
      call(server.url, 'POST', '/api/v1/users/public', {
        token,
        body: { username, password: 'first-password', roles },
      })
    expect((await create('low@example.test', ['user'])).status).toBe(403)
    const both = await Promise.all([
      create('one@example.test', ['admin']),
      create('two@example.test', ['admin']),
    ])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      expect.toBeOneOf([401, 409]),
    ])
    expect((await create('three@example.test', ['admin'])).status).toBe(401)
    expect(await server.stop()).toBe(0)
    await empty.drop()
  })

  it('creates an administrator from the command line, with the validation of the interface', async () => {
    const bad = await runServerCommand(
      ['admin', 'create', '--username', 'nonsense'],
      environment.variables,
      'short\n',
    )
    expect(bad.code).toBe(2)
    expect(bad.output).toContain('username: value is not a valid email address')
    expect(bad.output).toContain('password: String should have at least 8 characters')
    root = `${uniqueName('root')}@example.test`
    const words = ['admin', 'create', '--username', root]
    expect((await runServerCommand(words, environment.variables, 'root-password\n')).code).toBe(0)
    const again = await runServerCommand(words, environment.variables, 'root-password\n')
    expect([again.code, again.output]).toEqual([1, expect.stringContaining('User already registered')])
  })

  it('runs a single role, and creates the configured administrator only if there is none', async () => {
    const server = await startServerProcess(environment.variables, ['--role', 'api'])
    expect((await logIn(server.url, 'user', root, 'root-password')).status).toBe(200)
    expect((await logIn(server.url, 'user', admin.username, admin.password)).status).toBe(401)
    expect(await server.stop()).toBe(0)
  })

  it('completes started requests on SIGINT and exits within 10 s', async () => {
    const server = await startServerProcess(environment.variables)
    const logins = await Promise.all(Array.from({ length: 20 }, () => beginLogin(server.url)))
    const startedAt = Date.now()
    const ended = server.stop('SIGINT')
    await expect.poll(() => server.output(), { timeout: 10_000 }).toContain('"msg":"stopping"')
    const statuses = await Promise.all(logins.map((finish) => finish()))
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 200))
    expect(await ended).toBe(0)
    expect(Date.now() - startedAt).toBeLessThan(10_000)
    expect(server.output()).toContain('"msg":"stopped"')
  })

  it('is not ready, but still serves requests, for MANC_DRAIN_SECONDS before it stops', async () => {
    const server = await startServerProcess({ ...environment.variables, MANC_DRAIN_SECONDS: '9' })
    const startedAt = Date.now()
    const ended = server.stop()
    for (const url of [server.url, server.internalUrl])
      await expect
        .poll(async () => (await call(url, 'GET', '/readyz')).body.status, { timeout: 30_000, interval: 20 })
        .toBe('stopping')
    const { status } = await call(server.url, 'GET', '/readyz')
    expect([status, (await call(server.url, 'GET', '/healthz')).status]).toEqual([503, 200])
    expect((await logIn(server.url, 'user', root, 'root-password')).status).toBe(200)
    expect(await ended).toBe(0)
    expect(Date.now() - startedAt).toBeGreaterThan(9000)
  })

  it('exits with its parent process', async () => {
    const server = await startServerProcess(environment.variables)
    const gone = new Promise((resolve) => server.process.once('exit', resolve))
    server.process.disconnect()
    expect(await gone).toBe(0)
  })
})

/** A login that the server has begun to read: it says so and waits for the rest, which is sent on demand. */
async function beginLogin(url: string): Promise<() => Promise<number | undefined>> {
  const outgoing = request(`${url}/api/v1/token/?login_type=user`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', expect: '100-continue' },
  })
  const responded = once(outgoing, 'response')
  // If the server exits early, the awaited request fails.
  responded.catch(() => {})
  outgoing.flushHeaders()
  await once(outgoing, 'continue')
  return async () => {
    outgoing.end(`username=${root}&password=root-password`)
    const [answer] = (await responded) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  }
}
