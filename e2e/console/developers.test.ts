import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { emulatedAccessPoint } from './access-points.ts'
import { expectAccessible, useConsole, variants } from './environment.ts'

const env = useConsole()

async function pick(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option }).first().click()
}

/** Runs the code in a shell with $TOKEN set. */
function run(script: string, token: string): unknown[] {
  const text = execFileSync('/bin/sh', ['-c', script.replaceAll(/^curl /gm, 'echo; curl ')], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], TOKEN: token },
  })
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

it('the token is in the page only while it is shown, with its remaining time, and is valid', async () => {
  const page = await env.signedIn('/developers')
  await page.getByText(/Expires in \d+ min/).waitFor()
  expect(await page.getByLabel('Bearer token', { exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Show token' }).click()
  const token = (await page.getByLabel('Bearer token', { exact: true }).textContent()) ?? ''
  const answer = await fetch(`${env.url}/api/v1/users/me`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(await answer.json()).toMatchObject({ username: env.admin.username })
  expect(page.url()).not.toContain(token)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy: Bearer token' }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(token)
  await page.getByRole('button', { name: 'Hide token' }).click()
  expect(await page.content()).not.toContain(token)
})

it('code examples contain the controller and the selected access point, and the curl examples run', async () => {
  const page = await env.signedIn('/developers')
  await page.getByRole('button', { name: 'Show token' }).click()
  const token = (await page.getByLabel('Bearer token', { exact: true }).textContent()) ?? ''
  const text = async (label: string) => (await page.getByLabel(label, { exact: true }).textContent()) ?? ''

  const [summary, figures, agents] = run(await text('List access points with curl'), token)
  expect(summary).toMatchObject({ total: expect.any(Number) })
  expect(figures).toMatchObject({ clients: expect.any(Number) })
  expect(agents).toEqual(expect.arrayContaining([expect.objectContaining({ state: 'online' })]))

  const apId = await emulatedAccessPoint(env, 'LiFi')
  await page.getByRole('combobox', { name: 'Access point' }).fill(apId)
  await page.getByRole('option', { name: apId }).click()
  await pick(page, 'Task', 'Read metrics')
  const [chart] = run(await text('Read metrics with curl'), token)
  expect(chart).toMatchObject({
    agent_id: apId,
    series: [{ metric: 'clients' }, { metric: 'throughput_mbps' }],
  })
  await pick(page, 'Task', 'Send a command')
  const [job] = run(await text('Send a command with curl'), token)
  expect(job).toEqual({ job_number: expect.any(String) })

  await page.getByText('SDK', { exact: true }).click()
  expect(await text('Send a command with SDK')).toContain(`manc.commands.send('${apId}', 'reboot')`)
  expect(await text('Send a command with SDK')).toContain(`url: '${env.url}'`)
  await page.getByText('CLI', { exact: true }).click()
  expect(await text('Send a command with CLI')).toBe(`manc commands send ${apId} reboot`)
  await pick(page, 'Task', 'Log in')
  expect(await text('Log in with CLI')).toBe(`manc login --url ${env.url} --username '${env.admin.username}'`)
})

it('a standard user sees no example for sending commands', async () => {
  const user = { username: `reader-${randomUUID()}@manc.test`, password: 'a-plain-password' }
  await env.manc.users.create({ ...user, roles: ['user'] })
  const page = await env.signedIn('/developers', { as: user })
  await page.getByRole('combobox', { name: 'Task' }).click()
  await page.getByRole('option', { name: 'Read history' }).waitFor()
  expect(await page.getByRole('option', { name: 'Send a command' }).count()).toBe(0)
  await env.manc.users.remove(user.username)
})

it('the guides are readable on the page, each with its own address', async () => {
  const page = await env.signedIn('/developers')
  await page.getByRole('link', { name: 'Use the SDK' }).click()
  await page.getByRole('dialog').getByText('manc.fleet.agents').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.goto(`${env.url}/developers?guide=agents`)
  await page
    .getByRole('dialog', { name: /^Write an agent/ })
    .getByLabel('Write an agent')
    .waitFor()
})

it('the page links to the API reference and shows the health of each engine', async () => {
  const page = await env.signedIn('/developers')
  for (const engine of ['PostgreSQL', 'RabbitMQ', 'VictoriaMetrics'])
    await page.getByText(`${engine} is up`).waitFor()
  await page.getByText(/API \d+\.\d+\.\d+, \d+ operations/).waitFor()
  expect(await page.getByRole('link', { name: 'openapi.json' }).getAttribute('href')).toBe('/openapi.json')
  await page.getByRole('link', { name: 'Open API reference' }).click()
  await page.waitForURL(/\/docs/)
})

describe.each(variants)('%s', (scheme, viewport) => {
  it(`the developers page is accessible at a width of ${viewport.width}`, async () => {
    const page = await env.signedIn('/developers', { scheme, viewport })
    await page.getByText('PostgreSQL is up').waitFor()
    await page.getByRole('button', { name: 'Show token' }).click()
    await expectAccessible(page)
  })
})
