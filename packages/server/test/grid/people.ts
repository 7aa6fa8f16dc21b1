/** Whom the requests of the grid are about. */
export const themselves = {
  user: { username: 'self@grid.test', password: 'self-password' },
  agent: { ap_id: 'grid-self', password: 'p' },
  app: { app_name: 'grid self', api_key: 'k' },
} as const

/** Resets its password in many cells, and does nothing else. */
export const forgetful = { username: 'forgetful@grid.test', password: 'forgotten-password' } as const
