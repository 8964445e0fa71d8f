/**
 * Characters without a glyph: zero-width and direction characters, variation selectors, fillers, tags and interlinear
 * annotation characters. The SQL function `comparison_key` lists them by number.
 */
const IGNORED = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu

/** Sigma at the end of a word, dashes and quotation marks, and the characters that they equal. */
const FOLDED = [...'ς‐‑‒–—―−‘’‛ʼ′“”‟']
const FOLDED_TO = [...`σ-------'''''"""`]
const folded = new Map(FOLDED.map((character, i) => [character, FOLDED_TO[i]!]))

/** Runs of white space, including line separators and the blank Braille pattern. */
const SPACES = /[\t-\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u2800\u3000]+/g

/**
 * Returns the key by which names, numbers and identifiers are compared: NFKC, case folded, without invisible
 * characters, with single spaces. Texts that look the same have the same key. The SQL function `comparison_key` returns
 * the same key.
 */
export const comparisonKey = (text: string): string =>
  Array.from(text.replace(IGNORED, '').normalize('NFKD'), (character) => {
    const lower = character.toLowerCase()
    return folded.get(lower) ?? lower
  })
    .join('')
    .normalize('NFKC')
    .replace(SPACES, ' ')
    .trim()

/** Alphabets with characters that look like those of another alphabet. */
const ALPHABETS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic'].map(
  (script) => new RegExp(String.raw`\p{Script=${script}}`, 'u'),
)

/** Returns whether a word mixes two similar alphabets, such as a Cyrillic o in a Latin word. */
export const mixesAlphabets = (text: string): boolean =>
  text.split(/[^\p{L}\p{M}]+/u).some((word) => ALPHABETS.filter((alphabet) => alphabet.test(word)).length > 1)

/**
 * Cyrillic and Greek characters that look like a Latin one or a digit. Chosen by hand, not compared with
 * confusables.txt of Unicode TR39.
 */
const RESEMBLING = new Set('АВЕЗКМНОРСТУХЅІЈҮӀԚԜѴабгеорсухѕіјһӏԁԛԝѵΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϿαγινορσυϲϳ')

/** Returns whether the Cyrillic and Greek characters of a text all look like Latin ones, so that it can pass for another text. */
export function resemblesLatin(text: string): boolean {
  const characters = text.match(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu)
  return characters !== null && characters.every((character) => RESEMBLING.has(character))
}

/** Format characters and invisible fillers. Zero-width joiners are allowed in scripts and emoji that need them. */
export const INVISIBLE =
  /(?![\u200C\u200D])\p{Cf}|[\u115F\u1160\u2800\u3164\uFFA0]|(?<=[\p{Script=Latin}\p{Nd}\s\p{Cf}])[\u200C\u200D]/u
