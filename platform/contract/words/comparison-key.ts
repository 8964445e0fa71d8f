/** Characters of no width and marks of direction. The SQL function `comparison_key` has the same list. */
const IGNORED = /[\u034F\p{Variation_Selector}\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/gu

/**
 * Returns the key by which names, numbers and identifiers are compared: NFKC, case folded, without characters of no
 * width, with single spaces. The SQL function `comparison_key` returns the same key.
 */
export const comparisonKey = (text: string): string =>
  // By character, because the lower case of a sigma depends on its place in a word.
  Array.from(text.replace(IGNORED, '').normalize('NFKD'), (character) => character.toLowerCase().replace('ς', 'σ'))
    .join('')
    .normalize('NFKC')
    .replace(/ +/g, ' ')
    .trim()

/** Format characters and invisible fillers. Zero-width joiners are allowed in scripts and emoji that need them. */
export const INVISIBLE =
  /(?![\u200C\u200D])\p{Cf}|[\u115F\u1160\u2800\u3164\uFFA0]|(?<=[\p{Script=Latin}\p{Nd}\s\p{Cf}])[\u200C\u200D]/u
