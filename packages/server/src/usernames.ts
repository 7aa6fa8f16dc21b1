import { parseEmailAddress } from '@manc/validation'

/**
 * Under which a user is found. Names are compared case-insensitively, and whichever way the same address was typed:
 * composed or not, its domain as text or in the encoding of DNS.
 */
export function usernameKey(username: string): string {
  const parsed = parseEmailAddress(username)
  return ('value' in parsed ? parsed.value : username.trim().normalize('NFC')).toLowerCase()
}
