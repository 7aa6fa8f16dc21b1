/** The accounts that the requests of the grid are about. */
export const subjects = {
  user: { username: 'self@grid.test', password: 'self-password' },
  agent: { ap_id: 'grid-self', password: 'p' },
  app: { app_name: 'grid self', api_key: 'k' },
} as const

/** Used only for password resets, in many cells. */
export const resetUser = { username: 'forgetful@grid.test', password: 'forgotten-password' } as const
