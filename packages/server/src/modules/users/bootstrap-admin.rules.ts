import { UserCreate } from '@manc/contract'
import { requestValidator } from '@manc/validation'
import { type Config, WrongSettings } from '../../config.ts'

const validateUser = requestValidator({ body: UserCreate })

/** Validated like a request, with the errors as text. */
export function checkedAdmin(given: { username: string; password: string }): UserCreate {
  const checked = validateUser({ body: { ...given, roles: ['admin'] } })
  if (checked.valid) return checked.value.body
  const errors = checked.detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`)
  throw new WrongSettings(`The administrator cannot be created. ${errors.join('; ')}`)
}

/** The administrator of the settings, where they have one. */
export function bootstrapAdminOf(config: Config): UserCreate | undefined {
  const { MANC_BOOTSTRAP_ADMIN_USERNAME: username, MANC_BOOTSTRAP_ADMIN_PASSWORD: password } = config
  return username !== undefined && password !== undefined ? checkedAdmin({ username, password }) : undefined
}
