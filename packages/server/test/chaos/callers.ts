import { call, tokenOf } from '@manc/harness'
import type { Context } from './caller.ts'

const password = 'a-password-of-the-suite'
const roles = { registrar: 'admin', operator: 'operator', analyst: 'operator', viewer: 'user' } as const
type Name = keyof typeof roles

/**
 * A user for each part of the workload. Requests of one caller wait for each other when too many are slow, so that one part
 * would be seen to fail because of another.
 */
export async function createCallers(context: Context): Promise<Record<Name, Context>> {
  const create = async (name: Name): Promise<[Name, Context]> => {
    const username = `${context.prefix}-${name}@chaos.test`
    const [url = ''] = context.urls
    const { status, body } = await call(url, 'POST', '/api/v1/users/', {
      token: context.token,
      body: { username, password, roles: [roles[name]] },
    })
    if (status !== 200) throw new Error(`${username} was not created: ${status} ${JSON.stringify(body)}`)
    return [name, { ...context, token: await tokenOf(url, 'user', username, password) }]
  }
  const callers = await Promise.all((Object.keys(roles) as Name[]).map(create))
  return Object.fromEntries(callers) as Record<Name, Context>
}
