/**
 * Returns a typed or copied code in upper case and ASCII digits, without separators: full-width characters
 * and digits of other scripts, such as Devanagari, become ASCII, and spaces, hyphens and punctuation are removed.
 */
export const normaliseTypedCode = (entered: string): string =>
  asciiDigits(entered.normalize('NFKC'))
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()

/** Maximum length of a typed code with its separators. */
export const TYPED_CODE_LENGTH = 100

/** Replaces the digits of other scripts by 0 to 9. */
export const asciiDigits = (text: string): string => text.replace(/\p{Nd}/gu, digitOf)

/** Unicode encodes the ten digits of a script one after the other. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0)!
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return String(value)
}
