export const EMAIL_LENGTH = 254

/** Domain of the addresses of users without a mailbox. It never exists (rfc-editor.org/rfc/rfc2606). */
export const NO_MAILBOX = 'no-mailbox.invalid'

export const hasMailbox = (email: string): boolean => !email.endsWith(`@${NO_MAILBOX}`)

/**
 * Pattern of a dot-atom (RFC 5322, 3.2.3), @ and a domain whose last label does not start with a digit (RFC 1123, 2.1).
 */
const EMAIL_PATTERN =
  /^(?=[^@]{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/i

/** The length is checked first, so that the pattern never runs on a very long text. */
export const isEmail = (text: string): boolean => text.length <= EMAIL_LENGTH && EMAIL_PATTERN.test(text)

/**
 * Returns the text with A to Z in lower case. Other characters do not change, so that ASCII patterns still reject them:
 * `toLowerCase` would turn the Kelvin sign (U+212A) into k, and an address into a different valid one.
 */
export const lowerAscii = (text: string): string => text.replace(/[A-Z]/g, (capital) => capital.toLowerCase())

/** Returns the canonical spelling of an address. Addresses are compared and stored in lower case. */
export const normaliseEmail = (email: string): string => lowerAscii(email.trim())

/**
 * Returns the canonical spelling of an address, with an internationalised domain such as name@भारत.example in the ASCII
 * form of DNS (IDNA). If the domain is not valid, the result is the same as from `normaliseEmail`. Only for addresses
 * that do not identify an account.
 */
export function asciiEmail(email: string): string {
  const entered = email.trim()
  const [, local, domain] = /^([^@]*)@([^@]*)$/.exec(entered) ?? []
  // The URL parser also accepts a port, a path or escapes after the domain, so these are excluded first.
  if (domain === undefined || /^[!-~]*$/.test(domain) || /[\s%:/?#[\]\\]/.test(domain)) return normaliseEmail(entered)
  const url = `https://${domain}`
  return normaliseEmail(URL.canParse(url) ? `${local}@${new URL(url).hostname}` : entered)
}

/** Characters without a glyph, which mail programs and web pages add to copied addresses. */
const WITHOUT_GLYPH = /[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g

/** Returns the text without characters that have no glyph, with the at sign and dot of Asian keyboards in ASCII. */
export const plainEmail = (text: string): string =>
  text.replace(WITHOUT_GLYPH, '').replaceAll('\uFF20', '@').replaceAll('\uFF0E', '.')

/** Matches white space and commas, also those typed on Asian keyboards. */
export const ENDS_ENTRY = /[\s,\u3001\uFE10\uFE50\uFF0C\uFF64]/
