import { userOperations as operations, type SignInOptions } from '@manc/contract'
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../access.ts'
import { forbidden } from '../../errors.ts'
import { jsonArray } from '../../http/json-streams.ts'
import { linkNext } from '../../http/paging.ts'
import { done, serve } from '../../http/serve.ts'
import type { FirstAdminService } from './first-admin.service.ts'
import type { RecoveryService } from './recovery.service.ts'
import type { SignUpService } from './signup.service.ts'
import type { UserService } from './users.service.ts'

interface Services {
  users: UserService
  signUps: SignUpService
  recovery: RecoveryService
  firstAdmin: FirstAdminService
  options: SignInOptions
}

export function userRoutes(app: FastifyInstance, services: Services): void {
  const { users, signUps, recovery, firstAdmin, options } = services
  serve(app, operations.createUserPublic, async ({ body, caller, by }) =>
    caller.kind === 'setup' ? firstAdmin.create(body, by) : users.create(body, by),
  )

  serve(app, operations.getSignInOptions, async () => options)

  serve(app, operations.signUp, async ({ body, by, address }) => signUps.signUp(body, by, address), {
    refuse: () => signUps.refuseIfClosed(),
  })

  serve(app, operations.confirmSignUp, async ({ body, id, address }) =>
    signUps.confirm(body.token, body.password, { address, requestId: id }),
  )

  serve(app, operations.recoverPassword, async ({ body }) => {
    await recovery.request(body.username)
    return done('If the account exists, an e-mail with a reset token is on its way.')
  })

  serve(app, operations.resetPassword, async ({ body, id, address }) => {
    await recovery.reset(body.token, body.new_password, { address, requestId: id })
    return done('The password was changed. Log in with the new one.')
  })

  serve(app, operations.listUsers, async ({ query: { limit, after } }, reply) => {
    if (limit === undefined) return jsonArray(users.all(after))
    const page = await users.page(after ?? '', limit)
    if (page.length === limit)
      linkNext(reply, operations.listUsers, limit, page.at(-1)?.username ?? undefined)
    return page
  })

  serve(app, operations.createUser, async ({ body, by }) => users.create(body, by))

  serve(app, operations.getUser, async ({ params, caller }) => users.get(named(params.username, caller)))

  serve(
    app,
    operations.updateUser,
    async ({ params, body, caller, by, address }) =>
      users.update(named(params.username, caller), body, by, address),
    { refuse: refuseOwnRoles },
  )

  serve(app, operations.deleteUser, async ({ params, caller, by }) => {
    const username = named(params.username, caller)
    await users.delete(username, by)
    return done('The user was deleted.')
  })

  serve(app, operations.getMe, async ({ caller }) => users.get(named('me', caller)))
}

/** `me` is the caller, not a user with that name. */
const named = (username: string, caller: Caller) =>
  username === 'me' && caller.kind === 'user' ? caller.name : username

/** Users may change their own password; only administrators may change roles. */
function refuseOwnRoles(body: unknown, caller: Caller): void {
  const changesRoles = typeof body === 'object' && body !== null && 'roles' in body && body.roles !== null
  if (changesRoles && !(caller.kind === 'user' && caller.rank === 'admin')) throw forbidden()
}
