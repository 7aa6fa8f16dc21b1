import { domainToASCII, domainToUnicode } from 'node:url'
import { dotFault, excess, listWhere, unsafeFault } from './email-characters.ts'
import type { Refused } from './email-split.ts'

const MAX_DOMAIN = 253
const MAX_LABEL = 63
const BEYOND_ASCII = /[^\0-\x7f]/
const HOST_CHARACTER = /^[A-Za-z0-9.-]$/
const NAME_CHARACTER = /^[A-Za-z0-9.\p{L}\p{M}\p{N}-]$/u
const PUNYCODE_LABEL = /(?:^|\.)xn--/
/** Labels with hyphens as third and fourth character are reserved for encodings; only Punycode is in use. */
const RESERVED_LABEL = /^(?!xn)..--/isu

export interface Domain {
  /** The Unicode form, for display. */
  name: string
  /** The Punycode form, for DNS. */
  ascii: string
}

export function readDomain(given: string): Domain | Refused {
  if (given === '') return { fault: 'There must be something after the @-sign.' }
  if (given.startsWith('[') && given.endsWith(']')) {
    return { fault: 'A bracketed IP address after the @-sign is not allowed here.' }
  }
  const domain = normalise(given)
  if ('fault' in domain) return domain
  const fault = nameFault(domain, given)
  return fault === undefined ? domain : { fault }
}

function normalise(given: string): Domain | Refused {
  const bad = listInvalid(given)
  if (bad !== undefined) return { fault: `The part after the @-sign contains invalid characters: ${bad}.` }
  if (BEYOND_ASCII.test(given)) return normaliseInternational(given)
  const ascii = given.toLowerCase()
  if (!PUNYCODE_LABEL.test(ascii)) return { name: ascii, ascii }
  // A label that cannot be decoded stays encoded.
  const name = domainToUnicode(ascii)
  const isDecoded = name !== '' && !PUNYCODE_LABEL.test(name) && domainToASCII(name) === ascii
  return isDecoded ? { name, ascii } : { fault: 'The part after the @-sign is not valid IDNA.' }
}

function normaliseInternational(given: string): Domain | Refused {
  const unsafe = unsafeFault(given, false)
  if (unsafe !== undefined) return { fault: unsafe }
  // Checked first because the library gives no reason.
  const compatible = given.normalize('NFKC')
  const bad = listInvalid(compatible)
  if (bad !== undefined) {
    return {
      fault: `The part after the @-sign contains invalid characters after Unicode normalization: ${bad}.`,
    }
  }
  const dots = hostDotFault(compatible)
  if (dots !== undefined) return { fault: dots }
  const ascii = domainToASCII(given)
  const name = domainToUnicode(ascii)
  return name === '' ? { fault: 'The part after the @-sign contains invalid characters.' } : { name, ascii }
}

function listInvalid(name: string): string | undefined {
  return listWhere(name, (character) => character <= '\x7f' && !HOST_CHARACTER.test(character))
}

function nameFault({ name, ascii }: Domain, given: string): string | undefined {
  const dots = hostDotFault(name)
  if (dots !== undefined) return dots
  if (name.split('.').some((label) => RESERVED_LABEL.test(label))) {
    return 'An email address cannot have two letters followed by two dashes immediately after the @-sign or after a period, except Punycode.'
  }
  // Browsers allow some symbols; the standard for host names does not.
  const symbols = listWhere(name, (character) => !NAME_CHARACTER.test(character))
  if (symbols !== undefined) return `The part after the @-sign contains invalid characters: ${symbols}.`
  return lengthFault(ascii, given) ?? topLevelFault(ascii)
}

function hostDotFault(name: string): string | undefined {
  return dotFault(
    name,
    'An email address cannot have a {} immediately after the @-sign.',
    'An email address cannot end with a {}.',
    true,
  )
}

function lengthFault(ascii: string, given: string): string | undefined {
  if (ascii.length > MAX_DOMAIN) {
    const count = ascii.length - MAX_DOMAIN
    const bytes = `(${count} byte${count === 1 ? '' : 's'} too many after IDNA encoding)`
    return `The email address is too long after the @-sign ${ascii === given ? excess(ascii.length, MAX_DOMAIN) : bytes}.`
  }
  const label = ascii.split('.').find((part) => part.length > MAX_LABEL)
  if (label === undefined) return undefined
  return `After the @-sign, periods cannot be separated by so many characters ${excess(label.length, MAX_LABEL)}.`
}

/** Names for special use, such as .local and .test, are allowed: access networks are often private. */
function topLevelFault(ascii: string): string | undefined {
  if (!ascii.includes('.')) return 'The part after the @-sign is not valid. It should have a period.'
  if (/[a-z]$/.test(ascii)) return undefined
  return 'The part after the @-sign is not valid. It is not within a valid top-level domain.'
}
