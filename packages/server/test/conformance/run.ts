import { type Arguments, help, readArguments } from './arguments.ts'
import { checkDefinition, checkDocument } from './check-document.ts'
import { checkLive } from './check-live.ts'
import { masked } from './check-secrecy.ts'
import { Checks } from './checks.ts'
import { OpenApiDocument } from './document.ts'
import type { ConformanceEnvironment } from './environment.ts'
import { failuresOf, lineOf, type Result, summaryOf } from './report.ts'
import type { Operation } from './shape.ts'
import { table } from './table.ts'
import { openTarget } from './target.ts'

process.exitCode = await run(process.argv.slice(2))

async function run(words: string[]): Promise<number> {
  let given: Arguments
  try {
    given = readArguments(words)
  } catch (error) {
    console.error((error as Error).message)
    return 2
  }
  if (given.help) {
    console.log(help)
    return 0
  }
  const target = await openTarget(given)
  try {
    return await checkAll(target.environment, given.expect)
  } finally {
    await target.close()
  }
}

async function checkAll(environment: ConformanceEnvironment, expected: number): Promise<number> {
  const document = await readDocument(environment)
  const general = new Checks()
  checkDocument(document, general)
  const results: Result[] = []
  for (const operation of table) {
    const result = await checkOperation(environment, document, operation)
    results.push(result)
    console.log(lineOf(result))
  }
  if (!environment.mail) console.log('skipped: the success of operation 5, whose token comes by e-mail')
  const failures = failuresOf([{ title: 'the document', checks: general }, ...results])
  for (const failure of failures) console.log(masked(environment, failure))
  const { passed, checks, isClean } = summaryOf(general, results)
  if (passed < expected) console.log(`\nexpected at least ${expected} operations`)
  console.log(`\n${passed}/${table.length} operations, ${checks} checks`)
  return isClean && passed >= expected ? 0 : 1
}

async function readDocument(environment: ConformanceEnvironment): Promise<OpenApiDocument> {
  const answer = await fetch(`${environment.url}/openapi.json`)
  if (answer.status !== 200) throw new Error(`/openapi.json: ${answer.status}`)
  return new OpenApiDocument(await answer.json())
}

async function checkOperation(
  environment: ConformanceEnvironment,
  document: OpenApiDocument,
  operation: Operation,
): Promise<Result> {
  const { number, method, path } = operation
  const title = `${String(number).padStart(2)} ${method.padEnd(6)} ${path}`
  const declared = document.operations().find((found) => found.method === method && found.path === path)
  if (!declared) return { title, checks: undefined }
  const checks = new Checks()
  try {
    checkDefinition(document, operation, declared.definition, checks)
    await checkLive(environment, operation, checks)
  } catch (error) {
    checks.holds('the checks themselves', false, 'to run to their end', String(error))
  }
  return { title, checks }
}
