import { checkSecrecy } from './check-secrecy.ts'
import type { Checks } from './checks.ts'
import { isObject, list } from './document.ts'
import type { ConformanceEnvironment } from './environment.ts'
import {
  type InvalidRequest,
  withInvalidValues,
  withoutAllRequired,
  withoutRequired,
} from './invalid-requests.ts'
import { memberOf, type Prepared, type Reply, send } from './request.ts'
import type { Operation } from './shape.ts'

/** Nothing that is refused changes anything, so one valid request serves for all of them. */
export async function checkRefusals(
  environment: ConformanceEnvironment,
  operation: Operation,
  valid: Prepared,
  checks: Checks,
): Promise<void> {
  for (const invalid of [...withoutRequired(operation, valid), ...withInvalidValues(operation, valid)]) {
    const reply = await send(environment.url, operation, invalid.prepared)
    checkRefusal(environment, invalid, reply, checks)
  }
  await checkAllAtOnce(environment, operation, valid, checks)
  if (operation.body?.kind === 'json') await checkMalformed(environment, operation, valid, checks)
  if (operation.body?.kind === 'form') await checkNotAForm(environment, operation, valid, checks)
}

function checkRefusal(
  environment: ConformanceEnvironment,
  invalid: InvalidRequest,
  reply: Reply,
  checks: Checks,
): void {
  const { what, loc, types, msg } = invalid
  checkSecrecy(environment, what, reply, checks)
  const detail = detailOf(what, reply, checks)
  if (!detail) return
  checks.equal(
    `${what}: loc`,
    [loc],
    detail.map((item) => memberOf(item, 'loc')),
  )
  const [item] = detail
  const type = memberOf(item, 'type')
  if (types) checks.holds(`${what}: type`, types.includes(String(type)), types.join(' or '), type)
  if (msg !== undefined) checks.equal(`${what}: msg`, msg, memberOf(item, 'msg'))
}

/** The items of a 422, each of them of the interface's shape and with nothing else in it. */
export function detailOf(what: string, reply: Reply, checks: Checks): unknown[] | undefined {
  const found = `${reply.status} ${reply.text}`
  if (!checks.holds(`${what}: status`, reply.status === 422, '422', found)) return undefined
  const detail = list(memberOf(reply.json, 'detail'))
  checks.holds(`${what}: detail`, detail.length > 0, 'a list of items', reply.text)
  checks.holds(`${what}: items`, detail.every(isItem), 'loc, msg and type in each, nothing else', detail)
  return detail
}

function isItem(item: unknown): boolean {
  if (!isObject(item) || Object.keys(item).toSorted().join() !== 'loc,msg,type') return false
  const { loc, msg, type } = item
  return Array.isArray(loc) && loc.every(isStep) && typeof msg === 'string' && typeof type === 'string'
}

function isStep(step: unknown): boolean {
  return typeof step === 'string' || Number.isInteger(step)
}

/** Every fault is reported, not the first alone. */
async function checkAllAtOnce(
  environment: ConformanceEnvironment,
  operation: Operation,
  valid: Prepared,
  checks: Checks,
): Promise<void> {
  const { prepared, locs } = withoutAllRequired(operation, valid)
  if (locs.length < 2) return
  const what = 'without any required input'
  const detail = detailOf(what, await send(environment.url, operation, prepared), checks)
  if (!detail) return
  checks.equal(
    `${what}: loc`,
    locs,
    detail.map((item) => memberOf(item, 'loc')),
  )
}

async function checkMalformed(
  environment: ConformanceEnvironment,
  operation: Operation,
  valid: Prepared,
  checks: Checks,
): Promise<void> {
  const what = 'malformed JSON'
  // Cut off at its end, so that whatever is secret in it is still there to be echoed.
  const reply = await send(environment.url, operation, {
    ...valid,
    body: JSON.stringify(valid.body).slice(0, -1),
  })
  checkSecrecy(environment, what, reply, checks)
  const [item] = detailOf(what, reply, checks) ?? []
  const loc = list(memberOf(item, 'loc'))
  const isPlace = loc.length === 2 && loc[0] === 'body' && Number.isInteger(loc[1])
  checks.holds(`${what}: loc`, isPlace, '["body", offset]', loc)
  checks.equal(`${what}: type`, 'json_invalid', memberOf(item, 'type'))
  checks.equal(`${what}: msg`, 'JSON decode error', memberOf(item, 'msg'))
}

/** The token endpoint answers JSON, or nothing, as a form without its fields. */
async function checkNotAForm(
  environment: ConformanceEnvironment,
  operation: Operation,
  { form, ...rest }: Prepared,
  checks: Checks,
): Promise<void> {
  const required = (operation.body?.fields ?? []).filter((field) => field.required)
  for (const [what, prepared] of [
    ['JSON instead of a form', { ...rest, body: form }],
    ['no form at all', rest],
  ] as const) {
    const reply = await send(environment.url, operation, prepared)
    checkSecrecy(environment, what, reply, checks)
    const detail = detailOf(what, reply, checks)
    if (!detail) continue
    checks.equal(
      `${what}: items`,
      required.map(({ name }) => ({ loc: ['body', name], msg: 'Field required', type: 'missing' })),
      detail,
    )
  }
}
