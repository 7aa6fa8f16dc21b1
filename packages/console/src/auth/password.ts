/** The rule of the controller, checked before the request. */
export const passwordProblem = (password: string): string | null =>
  password.length < 8 ? 'Use at least 8 characters.' : null
