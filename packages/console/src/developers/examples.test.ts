import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { tasks } from './examples.ts'

const context = { url: 'https://manc.example.org', username: "o'neill&$HOME@manc.test", apId: 'wifi-7' }

it('a user name with special characters is quoted for the shell', () => {
  const script = tasks.logIn.texts.CLI(context).replace('manc login', 'printf "%s\\n"')
  expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\n')).toContain(
    context.username,
  )
  expect(tasks.logIn.texts.curl(context)).toContain(String.raw`'username=o'\''neill&$HOME@manc.test'`)
})

it('a user name with special characters is quoted in the SDK example', () => {
  expect(tasks.fleet.texts.SDK(context)).toContain(`username: "o'neill&$HOME@manc.test"`)
})
