import { asciiDigits } from './typed-code.ts'

export const PHONE_LENGTH = 40

/** Digits with spaces, dashes, dots, slashes and brackets, then at most one extension such as "ext. 12" or "#12". */
const PHONE_PATTERN = /^[+\d(][\d ()./-]*(?:[,;]? *(?:ext(?:n|ension)?\.?|x|#)[ :=.]*\d{1,8})?$/i

export const isPhone = (text: string): boolean =>
  text.length <= PHONE_LENGTH && PHONE_PATTERN.test(text) && /\d/.test(text)

/**
 * Returns a phone number in ASCII: digits of other scripts, such as Devanagari, become 0 to 9, other dashes become
 * hyphens, and characters without a glyph, which spreadsheets and messengers add, are removed.
 */
export const normalisePhone = (text: string): string =>
  asciiDigits(text.normalize('NFKC'))
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Pd}|−/gu, '-')
    .trim()
