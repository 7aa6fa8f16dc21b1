import { parseEmailAddress } from '@manc/validation'

/**
 * The key under which a user is stored. It is the same for all spellings of one address: upper or lower case, composed or
 * decomposed characters, the domain in Unicode or in punycode.
 */
export function usernameKey(username: string): string {
  const parsed = parseEmailAddress(username)
  return ('value' in parsed ? parsed.value : username.trim().normalize('NFC')).toLowerCase()
}
