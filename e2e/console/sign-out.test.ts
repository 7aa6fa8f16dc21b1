import { expect, it } from 'vitest'
import { useConsole } from './environment.ts'

const env = useConsole()

it('sign-out deletes the token and the requested emulations from the browser', async () => {
  const page = await env.signedIn('/')
  await page.getByRole('button', { name: 'Account' }).waitFor()
  await page.evaluate(
    "localStorage.setItem('manc.emulations', JSON.stringify([{ jobNumber: '1', specs: [] }]))",
  )
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  const stored = await page.evaluate('[...Object.keys(sessionStorage), ...Object.keys(localStorage)]')
  expect((stored as string[]).filter((key) => /session|emulations/.test(key))).toEqual([])
  expect(await page.content()).not.toContain(env.admin.username)
})
