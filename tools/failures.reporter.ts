import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** Appends failed tests, and tests that passed only when retried, to the file MANC_FAILURES, so that CI can end with them. */
export default class FailuresReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env['MANC_FAILURES']
    if (!file) return
    for (const error of unhandled) appendFileSync(file, `FAILED outside of any test\n${details(error)}`)
    for (const module of modules) {
      const where = module.relativeModuleId
      for (const error of module.errors()) appendFileSync(file, `FAILED ${where}\n  ${error.message}\n`)
      for (const test of module.children.allTests()) {
        const name = `${where} > ${test.fullName}`
        const result = test.result()
        const reasons = (result.errors ?? []).map(reasonOf).join('')
        if (result.state === 'failed') appendFileSync(file, `FAILED ${name}\n${reasons}`)
        else if (test.diagnostic()?.flaky)
          appendFileSync(file, `PASSED ONLY WHEN RETRIED ${name}\n${reasons}`)
      }
    }
  }
}

const maxDiffLines = 20

/** The message of an assertion shortens long values; the difference has them. */
function reasonOf({ message, diff }: { message: string; diff?: string }): string {
  const lines = stripVTControlCharacters(diff ?? '')
    .split('\n')
    .filter((line) => line !== '')
  return [message, ...lines.slice(0, maxDiffLines)].map((line) => `  ${line}\n`).join('')
}

/** Vitest does not name the test that caused it: the file, stack and cause are all there is. */
function details(error: SerializedError): string {
  const stack = (error.stack ?? error.message).split('\n').slice(0, 8)
  const file = error['VITEST_TEST_PATH']
  return [
    ...(typeof file === 'string' ? [`  during ${path.relative('.', file)}`] : []),
    ...stack.map((line) => `  ${line.trim()}`),
    ...(error.cause ? [`  caused by ${error.cause.message}`] : []),
    '',
  ].join('\n')
}
