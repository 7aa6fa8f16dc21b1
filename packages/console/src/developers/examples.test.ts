import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { tasks } from './examples.ts'

const setting = { url: 'https://manc.example.org', username: "o'neill&$HOME@manc.test", apId: 'wifi-7' }

it('a name with anything in it comes through a shell as it is', () => {
  const script = tasks.logIn.texts.CLI(setting).replace('manc login', 'printf "%s\\n"')
  expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\n')).toContain(
    setting.username,
  )
  expect(tasks.logIn.texts.curl(setting)).toContain(String.raw`'username=o'\''neill&$HOME@manc.test'`)
})

it('a name with anything in it is one text in a program', () => {
  expect(tasks.fleet.texts.SDK(setting)).toContain(`username: "o'neill&$HOME@manc.test"`)
})
