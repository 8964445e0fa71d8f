/** @module-tag full */
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newName } from '../../contract/shapes.ts'
import { comparisonKey } from '../../contract/words/comparison-key.ts'
import { isEmail, normaliseEmail } from '../../contract/words/email.ts'
import { sharedDatabase } from '../../test/shared.ts'

const { db } = await sharedDatabase({ size: 1, as: 'app' })

const RUNS = 10_000

/** Characters of no width and marks of direction. */
const UNSEEN = [
  ...'\u00AD\u200B\u200C\u200D\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2060\u2064\u2066\u2069\u034F\u180B\u180D\uFE0F\uFEFF\u{E0100}\u{E01EF}',
]
const BLANKS = [...' \u00A0\u2000\u2003\u2007\u2009\u200A\u202F\u205F\u3000']

/** Characters that Unicode can encode in several ways. */
const characters = fc.constantFrom(
  ...'abkABKzZ019-_./+&',
  ...'éÉñÑåÅüŷǘộḍ̇ÿçşŝßẞøœŒŁıİſςσΣΆΐЁёЙйђЖ',
  ...'कखग़ড়ক্षกำ한ㄱ가각か゛がガｶﾞＡｂ１９（）！～',
  ...'①Ⓐⓐ㎏㎜™ℌℓℜ½²ﬁﬀĳǆ𝐀𝒷𝟘㍿',
  ...'\u0300\u0301\u0302\u0307\u0308\u030A\u0323\u0327\u0328\u0345\u093C\u09BC\u3099',
  '\u212A',
  '\u212B',
  '\u2126',
)
const text = fc.array(characters, { minLength: 1, maxLength: 12 }).map((all) => all.join(''))
const words = fc.array(text, { minLength: 1, maxLength: 4 }).map((all) => all.join(' '))

/** Changes of the encoding that keep the appearance of a text, or change only its width or case. */
const change = fc.record({
  form: fc.constantFrom('NFC', 'NFD', 'none'),
  unseen: fc.array(fc.tuple(fc.constantFrom(...UNSEEN), fc.nat(60)), { maxLength: 4 }),
  blanks: fc.array(fc.tuple(fc.constantFrom(...BLANKS), fc.nat(60)), { maxLength: 4 }),
  widths: fc.array(fc.nat(60), { maxLength: 4 }),
  cases: fc.array(fc.nat(60), { maxLength: 4 }),
})
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

const wide = (character: string) => {
  const code = character.codePointAt(0)!
  return code > 0x20 && code < 0x7f ? String.fromCodePoint(code + 0xfee0) : character
}
/** Returns the character in the other case if converting back gives the same character. It does not for ß and ı. */
const otherCase = (character: string) => {
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()]
  const isPair = [...lower].length === 1 && [...upper].length === 1 && upper.toLowerCase() === lower
  if (!isPair || lower.toUpperCase() !== upper) return character
  return character === lower ? upper : lower
}

function changed(of: string, { form, unseen, blanks, widths, cases }: Change): string {
  const parts = [...(form === 'none' ? of : of.normalize(form))]
  const at = (index: number) => index % parts.length
  for (const place of widths) parts[at(place)] = wide(parts[at(place)]!)
  for (const place of cases) parts[at(place)] = otherCase(parts[at(place)]!)
  for (const [blank, place] of blanks) {
    if (parts[at(place)] === ' ') parts[at(place)] = place % 2 === 0 ? blank : ` ${blank}`
  }
  for (const [mark, place] of unseen) parts[at(place)] += mark
  return parts.join('')
}

test('rejects a name in another encoding, or gives both the same key', () => {
  fc.assert(
    fc.property(words, change, (name, how) => {
      const variant = changed(name, how)
      expect(comparisonKey(variant)).toBe(comparisonKey(name))
      const { success, data = '' } = newName.safeParse(variant)
      expect(success ? comparisonKey(data) : comparisonKey(name)).toBe(comparisonKey(name))
    }),
    { numRuns: RUNS },
  )
})

test('converting a key again returns the same key, without characters of no width or upper case', () => {
  fc.assert(
    fc.property(words, change, (name, how) => {
      const key = comparisonKey(changed(name, how))
      expect(comparisonKey(key)).toBe(key)
      expect(key).not.toMatch(/[\u200B-\u200F\uFEFF]|[^\S ]| {2}|^ | $/u)
      expect(key).toBe(key.normalize('NFKC'))
    }),
    { numRuns: RUNS },
  )
})

test.each([
  ['Docker Basics', 'Docker Basic'],
  ['Straße', 'Strase'],
  ['Café', 'Cafe'],
  ['C', 'C++'],
  ['Batch 1', 'Batch1'],
  ['क', 'क़'],
])('%s and %s have different keys', (one, other) => {
  expect(comparisonKey(one)).not.toBe(comparisonKey(other))
})

test('PostgreSQL computes the same keys as TypeScript', async () => {
  const names = fc.sample(fc.tuple(words, change), RUNS).map(([name, how]) => changed(name, how))
  const { rows } = await sql<{ key: string }>`
    select comparison_key(name) as key from unnest(${names}::text[]) with ordinality as named (name, place)
    order by place`.execute(db)
  const different = names.filter((name, index) => comparisonKey(name) !== rows[index]!.key)
  expect(different.map((name) => JSON.stringify(name))).toEqual([])
})

test('rejects an address in another encoding, or gives both the same key', () => {
  const part = fc.array(fc.constantFrom(...'kis019-_K\u212A\u017F\u0131\u0130\uFF4Bé'), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(part, change, (local, how) => {
      const address = `a${local.join('')}@example.com`
      const variant = changed(address, how)
      const stored = normaliseEmail(variant)
      if (!isEmail(stored)) return
      expect(stored).toMatch(/^[\x21-\x7E]+$/)
      expect(stored).toBe(comparisonKey(variant))
      expect(stored).toBe(variant.trim().toLowerCase())
      expect(stored).toMatch(/@example\.com$/)
    }),
    { numRuns: RUNS },
  )
})

test.each(['\u212Aumar@north.academy', '\u017Fita@north.academy', 'kumar@\u212Aerala.example', 'ｋumar@north.academy'])(
  'rejects the address %s instead of turning it into another',
  (typed) => {
    expect(isEmail(normaliseEmail(typed))).toBe(false)
  },
)
