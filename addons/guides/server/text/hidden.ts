/** Zero-width joiners shape letters of some scripts and emoji. */
const IN_TEXT = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\u115F\u1160\u2800\u3164\uFFA0]|(?![\u200C\u200D])\p{Cf}/gu
/** Code needs none of them, nor spaces other than the usual one. */
const IN_CODE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115F\u1160\u2800\u3164\uFFA0]|(?! )\p{Zs}/gu

const patternOf = (where: 'text' | 'code') => (where === 'code' ? IN_CODE : IN_TEXT)

export const hasHidden = (text: string, where: 'text' | 'code'): boolean => text.search(patternOf(where)) >= 0

/** Returns the text with control, bidirectional and invisible characters as [U+202E]. */
export const showHidden = (text: string, where: 'text' | 'code'): string =>
  text.replace(
    patternOf(where),
    (character) => `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
  )
