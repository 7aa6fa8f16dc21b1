/** What the controller would say as well, before it has to. */
export const passwordProblem = (password: string): string | null =>
  password.length < 8 ? 'Use at least 8 characters.' : null
