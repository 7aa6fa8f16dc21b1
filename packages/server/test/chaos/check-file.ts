/** Judges recorded histories again: `npx node packages/server/test/chaos/check-file.ts FILE…` */
import { check, isPassed } from './checker.ts'
import { readHistory } from './history.ts'

const verdicts = process.argv.slice(2).map((file) => check(readHistory(file)))
for (const verdict of verdicts) console.log(JSON.stringify(verdict))
process.exitCode = verdicts.every(isPassed) ? 0 : 1
