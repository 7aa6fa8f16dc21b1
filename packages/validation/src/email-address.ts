import { dotFault, excess, listWhere, unsafeFault } from './email-characters.ts'
import { type Domain, readDomain } from './email-domain.ts'
import { type AddressParts, type Refused, splitAddress, withoutDisplayName } from './email-split.ts'
import { type Parsed, STRING_TYPE } from './item.ts'
import { countCodePoints, isLongerThan } from './text.ts'

const MAX_INPUT = 2048
const MAX_BYTES = 254
const ATOM_CHARACTER = /^[\w!#$%&'*+\-/=?^`{|}~.]$/

/** Mailbox names that are case-insensitive on every host. [RFC 2142] */
const ROLE_NAMES = new Set(
  'info marketing sales support abuse noc security postmaster hostmaster usenet news webmaster www uucp ftp'.split(
    ' ',
  ),
)

/**
 * Parses an address as pydantic's EmailStr does and returns its normal form: trimmed, composed (NFC), the domain in lower
 * case. Linear time for any input.
 */
export function parseEmailAddress(value: unknown): Parsed<string> {
  if (typeof value !== 'string') return STRING_TYPE
  const read = isLongerThan(value, MAX_INPUT)
    ? { fault: `Length must not exceed ${MAX_INPUT} characters` }
    : readAddress(withoutDisplayName(value))
  if (typeof read === 'string') return { value: read }
  return { type: 'value_error', msg: `value is not a valid email address: ${read.fault}` }
}

function readAddress(text: string): string | Refused {
  const parts = splitAddress(text)
  if ('fault' in parts) return parts
  const local = readLocal(parts)
  if (typeof local !== 'string') return local
  const domain = readDomain(parts.domain)
  if ('fault' in domain) return domain
  const fault = lengthFault(parts, local, domain)
  if (fault !== undefined) return { fault }
  if (parts.hasDisplayName) {
    return { fault: 'A display name and angle brackets around the email address are not permitted here.' }
  }
  return `${local}@${domain.name}`
}

function readLocal({ local, isQuoted }: AddressParts): string | Refused {
  const fault = localFault(local, isQuoted)
  if (fault !== undefined) return { fault }
  const composed = local.normalize('NFC')
  const composedFault = composed === local ? undefined : localFault(composed, isQuoted)
  if (composedFault !== undefined) return { fault: `After Unicode normalization: ${composedFault}` }
  if (isQuoted) return { fault: 'Quoting the part before the @-sign is not allowed here.' }
  const lower = composed.toLowerCase()
  return ROLE_NAMES.has(lower) ? lower : composed
}

function localFault(local: string, isQuoted: boolean): string | undefined {
  if (local === '') return 'There must be something before the @-sign.'
  const bad = listWhere(local, (character) => character <= '\x7f' && !ATOM_CHARACTER.test(character))
  const dots = dotFault(
    local,
    'An email address cannot start with a {}.',
    'An email address cannot have a {} immediately before the @-sign.',
    false,
  )
  if (bad === undefined && dots === undefined) return unsafeFault(local, false)
  if (isQuoted) return quotedFault(local)
  return bad === undefined ? dots : `The email address contains invalid characters before the @-sign: ${bad}.`
}

function quotedFault(local: string): string | undefined {
  const bad = listWhere(local, (character) => character < ' ' || character === '\x7f')
  if (bad === undefined) return unsafeFault(local, true)
  return `The email address contains invalid characters in quotes before the @-sign: ${bad}.`
}

/** The limit is in bytes, and applies to each of the three forms that a mail relay may use. */
function lengthFault(parts: AddressParts, local: string, domain: Domain): string | undefined {
  const given = `${parts.local}@${parts.domain}`
  const tooMany = Buffer.byteLength(given) - MAX_BYTES
  if (tooMany > 0) return `The email address is too long ${givenExcess(given, tooMany)}.`
  const forms = [
    [`${local}@${domain.name}`, 'after normalization'],
    [`${local}@${domain.ascii}`, 'when the part after the @-sign is converted to IDNA ASCII'],
  ] as const
  for (const [form, when] of forms) {
    const bytes = Buffer.byteLength(form) - MAX_BYTES
    if (bytes > 0) {
      return `The email address is too long ${when} (${bytes} byte${bytes > 1 ? 's' : ''} too many).`
    }
  }
  return undefined
}

function givenExcess(given: string, bytes: number): string {
  const characters = countCodePoints(given)
  if (characters === Buffer.byteLength(given)) return excess(characters, MAX_BYTES)
  const widest = Math.max(...Array.from(given, (character) => Buffer.byteLength(character)))
  const atLeast = Math.max(1, Math.floor(bytes / widest))
  const range = atLeast === bytes ? `${bytes}` : `${atLeast}-${bytes}`
  return `(${range} character${bytes > 1 ? 's' : ''} too many)`
}
