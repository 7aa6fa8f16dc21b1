import { listWhere, unsafeFault } from './email-characters.ts'
import { isSpace, trimSpaces } from './text.ts'

export interface Refused {
  fault: string
}

export interface AddressParts {
  local: string
  domain: string
  /** The local part was written in quotes; `local` is without them. */
  isQuoted: boolean
  hasDisplayName: boolean
}

/** Composed with this, `<` becomes a character that is not a bracket. */
const OVERLAY = '\u0338'
const DISPLAY_NAME = /^[\w!#$%&'*+\-/=?^`{|}~ ]$/
const NAME_WORDS = /^[\p{L}\p{N}_!#$%&'*+\-/=?^`{|}~\s]*$/u

/** Of `Name <address>`, `"Name" <address>` and `<address>` only the address is used. */
export function withoutDisplayName(value: string): string {
  const text = trimSpaces(value)
  if (!text.endsWith('>')) return text
  const open = text.startsWith('"') ? bracketAfterQuotes(text) : text.indexOf('<')
  const address = text.slice(open + 1, -1)
  if (open < 0 || address === '' || address.includes('\n')) return text
  return text.startsWith('"') || NAME_WORDS.test(text.slice(0, open)) ? trimSpaces(address) : text
}

function bracketAfterQuotes(text: string): number {
  for (let quote = text.lastIndexOf('"'); quote > 1; quote = text.lastIndexOf('"', quote - 1)) {
    let next = quote + 1
    while (isSpace(text.charAt(next))) next++
    if (text[next] === '<' && next < text.length - 2) return next
  }
  return -1
}

export function splitAddress(text: string): AddressParts | Refused {
  const at = findUnquoted(text, '@<')
  if (at < 0) return { fault: missingAtSign(text) }
  if (text[at] === '@') return unquoteLocal(text.slice(0, at), text.slice(at + 1), false)
  const fault = displayNameFault(trimSpaces(text.slice(0, at))) ?? bracketFault(text.slice(at))
  if (fault !== undefined) return { fault }
  let end = text.length
  while (text[end - 1] === '>') end--
  const address = text.slice(at + 1, end)
  const inner = findUnquoted(address, '@')
  if (inner < 0) return { fault: missingAtSign(address) }
  return unquoteLocal(address.slice(0, inner), address.slice(inner + 1), true)
}

function findUnquoted(text: string, specials: string): number {
  let inQuotes = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (character === '"') inQuotes = !inQuotes
    else if (inQuotes) index += character === '\\' ? 1 : 0
    else if (specials.includes(character) && text[index + 1] !== OVERLAY) return index
  }
  return -1
}

function missingAtSign(text: string): string {
  if (text.includes('\uff20')) {
    return 'The email address has the "full-width" at-sign (@) character instead of a regular at-sign.'
  }
  if (text.includes('\ufe6b')) {
    return 'The email address has the "small commercial at" character instead of a regular at-sign.'
  }
  return 'An email address must have an @-sign.'
}

function unquoteLocal(local: string, domain: string, hasDisplayName: boolean): AddressParts | Refused {
  const parts = unquote(local)
  return 'fault' in parts ? parts : { local: parts.text, domain, isQuoted: parts.isQuoted, hasDisplayName }
}

function unquote(text: string): { text: string; isQuoted: boolean } | Refused {
  if (!text.startsWith('"')) return { text, isQuoted: false }
  let plain = ''
  for (let index = 1; index < text.length; index++) {
    if (text[index] === '"') {
      const extra = Array.from(text.slice(index + 1), (character) => listWhere(character, () => true))
      if (extra.length === 0) break
      return { fault: `Extra character(s) found after close quote: ${extra.join(', ')}` }
    }
    if (text[index] === '\\') index++
    plain += text.charAt(index)
  }
  return { text: plain, isQuoted: true }
}

function displayNameFault(name: string): string | undefined {
  const parts = unquote(name)
  if ('fault' in parts) return parts.fault
  const bad = parts.isQuoted ? undefined : listWhere(parts.text, (character) => !DISPLAY_NAME.test(character))
  if (bad !== undefined) return `The display name contains invalid characters when not quoted: ${bad}.`
  return unsafeFault(parts.text, true)
}

function bracketFault(rest: string): string | undefined {
  if (!rest.includes('>')) {
    return 'An open angle bracket at the start of the email address has to be followed by a close angle bracket at the end.'
  }
  return rest.endsWith('>') ? undefined : "There can't be anything after the email address."
}
