import type { Message } from '../../engines/mail.ts'

interface Link {
  to: string
  token: string
  publicUrl: string
  lifetimeS: number
}

/** Tokens are in the fragment of a link: browsers do not send it, so it is in no log. */
export function resetMail({ to, token, publicUrl, lifetimeS }: Link): Message {
  const baseUrl = publicUrl.replace(/\/$/, '')
  return {
    to,
    subject: 'Reset your MANC password',
    text: [
      'A password reset was requested for this account. If you did not request it, ignore this e-mail.',
      '',
      `Reset token: ${token}`,
      '',
      `Set a new password at ${baseUrl}/reset#token=${token}`,
      `or send it to POST ${baseUrl}/api/v1/users/reset-password`,
      'as {"token": "…", "new_password": "…"}.',
      '',
      `It works once, within ${minutes(lifetimeS)}.`,
      '',
    ].join('\n'),
  }
}

export function confirmationMail({ to, token, publicUrl, lifetimeS }: Link): Message {
  const baseUrl = publicUrl.replace(/\/$/, '')
  return {
    to,
    subject: 'Confirm your MANC account',
    text: [
      'Someone signed up with this e-mail address. If it was not you, ignore this e-mail: the account is removed.',
      '',
      `Confirmation token: ${token}`,
      '',
      `Confirm the account at ${baseUrl}/confirm#token=${token}`,
      `or send it to POST ${baseUrl}/api/v1/users/confirm-signup`,
      'as {"token": "…", "password": "…"}, with the password of the sign-up.',
      '',
      `If that password is not yours, set your own at ${baseUrl}/reset#token=${token}`,
      '',
      `The token works once, within ${minutes(lifetimeS)}. A later sign-up or recovery replaces it.`,
      '',
    ].join('\n'),
  }
}

function minutes(seconds: number): string {
  const count = Math.ceil(seconds / 60)
  return count === 1 ? '1 minute' : `${count} minutes`
}
