import { appendFileSync } from 'node:fs'
import path from 'node:path'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** Keeps what failed, and what passed only when repeated, for the end of a long log. MANC_VERDICT names the file. */
export default class Verdict implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env['MANC_VERDICT']
    if (!file) return
    for (const error of unhandled) appendFileSync(file, `FAILED outside of any test\n${whole(error)}`)
    for (const module of modules) {
      const where = module.relativeModuleId
      for (const error of module.errors()) appendFileSync(file, `FAILED ${where}\n  ${error.message}\n`)
      for (const test of module.children.allTests()) {
        const name = `${where} > ${test.fullName}`
        const result = test.result()
        const reasons = (result.errors ?? []).map((error) => `  ${error.message}\n`).join('')
        if (result.state === 'failed') appendFileSync(file, `FAILED ${name}\n${reasons}`)
        else if (test.diagnostic()?.flaky)
          appendFileSync(file, `PASSED ONLY WHEN REPEATED ${name}\n${reasons}`)
      }
    }
  }
}

/** Nobody names the test that left it behind: the file, the causes and the way there have to tell. */
function whole(error: SerializedError): string {
  const way = (error.stack ?? error.message).split('\n').slice(0, 8)
  const file = error['VITEST_TEST_PATH']
  return [
    ...(typeof file === 'string' ? [`  while ${path.relative('.', file)} ran`] : []),
    ...way.map((line) => `  ${line.trim()}`),
    ...(error.cause ? [`  because ${error.cause.message}`] : []),
    '',
  ].join('\n')
}
