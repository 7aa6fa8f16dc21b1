import { checkLocked, checkOpen } from './check-access.ts'
import { checkRefusals, detailOf } from './check-refusals.ts'
import { checkSecrecy, passwordMembers } from './check-secrecy.ts'
import { checkValue } from './check-value.ts'
import type { Checks } from './checks.ts'
import { list } from './document.ts'
import type { ConformanceEnvironment } from './environment.ts'
import type { Prepare } from './exercise.ts'
import { exercises } from './exercises.ts'
import { minimal, nulls, withUnknown } from './invalid-requests.ts'
import { memberOf, type Prepared, type Reply, send } from './request.ts'
import type { Operation } from './shape.ts'

/** One operation of a running server: what must succeed, what must be refused, who must be turned away. */
export async function checkLive(
  environment: ConformanceEnvironment,
  operation: Operation,
  checks: Checks,
): Promise<void> {
  const exercise = exercises[operation.number]
  if (!exercise) throw new Error(`no exercise for operation ${operation.number}`)
  await checkSuccesses(new Live(environment, operation, checks), operation, exercise.valid)
  for (const [what, prepare] of Object.entries(exercise.variants ?? {})) {
    await new Live(environment, operation, checks).passes(what, await prepare(environment))
  }
  const valid = await exercise.valid(environment)
  await checkRefusals(environment, operation, valid, checks)
  if (operation.auth === 'bearer') await checkLocked(environment, operation, valid, checks)
  else await checkOpen(environment, operation, valid, checks)
}

async function checkSuccesses(live: Live, operation: Operation, valid: Prepare): Promise<void> {
  const prepare = () => valid(live.environment)
  await live.passes('live', await prepare())
  await live.passes('other form of the path', await prepare(), 'other')
  await live.passes('unknown fields', withUnknown(operation, await prepare()))
  await live.passes('required inputs alone', withoutExpectation(minimal(operation, await prepare())))
  for (const change of nulls(operation)) {
    await live.passes(change.what, withoutExpectation(change.apply(await prepare())))
  }
}

/** A changed request has another result than the one it was prepared for. */
function withoutExpectation({ expected: _expected, ...prepared }: Prepared): Prepared {
  return prepared
}

class Live {
  readonly environment: ConformanceEnvironment
  readonly #operation: Operation
  readonly #checks: Checks

  constructor(environment: ConformanceEnvironment, operation: Operation, checks: Checks) {
    this.environment = environment
    this.#operation = operation
    this.#checks = checks
  }

  async passes(
    what: string,
    prepared: Prepared,
    slash: 'as-written' | 'other' = 'as-written',
  ): Promise<void> {
    const reply = await send(this.environment.url, this.#operation, prepared, slash)
    const wanted = prepared.status ?? 200
    const isDone = this.#checks.holds(
      `${what}: status`,
      reply.status === wanted,
      String(wanted),
      `${reply.status} ${reply.text}`,
    )
    checkSecrecy(this.environment, what, reply, this.#checks)
    if (isDone && wanted === 422) detailOf(what, reply, this.#checks)
    if (!isDone || wanted !== 200) return
    this.#checks.equal(`${what}: password members`, [], passwordMembers(reply.json))
    checkValue(`${what}: output`, this.#operation.output, reply.json, this.#checks)
    for (const [name, value] of Object.entries(prepared.expected ?? {})) {
      this.#checks.equal(`${what}: output.${name}: value`, value, memberOf(reply.json, name))
    }
    const { effect } = prepared
    if (effect) this.#checks.equal(`${what}: ${effect.what}`, effect.expected, await effect.read(reply))
    if (this.#operation.number === 25) this.#deleteEmulatedAtEnd(reply)
  }

  #deleteEmulatedAtEnd(reply: Reply): void {
    for (const id of list(memberOf(reply.json, 'agents')))
      this.environment.deleteAtEnd(`/api/v1/agents/${String(id)}`)
  }
}
