import { admin, type TestEnvironment } from '@manc/harness'
import { test as it } from '@manc/harness/fixture'
import { expect } from 'vitest'

let environment: TestEnvironment

it.beforeAll(({ environment: own }) => {
  environment = own
})

const secrets = {
  user: 'password-of-the-user',
  agent: 'password-of-the-agent',
  app: 'key-of-the-app',
  newAgent: 'second-password-of-the-agent',
  newApp: 'second-key-of-the-app',
}

it('the database has no password, API key or token as text, and passwords are Argon2id hashes', async () => {
  const post = (path: string, body: object) => environment.request('POST', path, body)
  const put = (path: string, body: object) => environment.request('PUT', path, body)
  await post('/api/v1/users/', { username: 'ann@rest.test', password: secrets.user, roles: ['user'] })
  await post('/api/v1/agents/', { ap_id: 'ap-rest', password: secrets.agent, configuration: {} })
  await post('/api/v1/third_party_apps/', { app_name: 'app rest', api_key: secrets.app, permissions: {} })
  await put('/api/v1/agents/ap-rest', { password: secrets.newAgent })
  await put('/api/v1/third_party_apps/app%20rest', { api_key: secrets.newApp })
  const { body: enrolment } = await post('/api/v1/enrolment_tokens', {})

  const stored = await dump()
  for (const name of ['ann@rest.test', 'ap-rest', 'app rest', enrolment.id]) expect(stored).toContain(name)
  const texts = [...Object.values(secrets), admin.password, enrolment.token, environment.adminToken]
  // A column of bytes is written in hexadecimal digits.
  const forms = texts.flatMap((text) => [text, Buffer.from(text).toString('hex')])
  expect(forms.filter((text) => stored.includes(text))).toEqual([])

  const [hashes] = await environment.sql(`
    select (select password_hash from users where username = 'ann@rest.test') as user,
      (select password_hash from agents where ap_id = 'ap-rest') as agent,
      (select api_key_hash from third_party_apps where app_name = 'app rest') as app`)
  for (const hash of Object.values(hashes)) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

/** Every row of every table. */
async function dump(): Promise<string> {
  const tables = await environment.sql(`select tablename from pg_tables where schemaname = 'public'`)
  const rows = []
  for (const { tablename } of tables)
    rows.push(...(await environment.sql(`select t::text from "${tablename}" as t`)))
  return rows.map(({ t }) => t).join('\n')
}
