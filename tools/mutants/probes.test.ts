import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mutationsIn } from './mutations.ts'
import { namesOf, probed, RECORD_FILE, RECORDER } from './probes.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'trainyard-probes-'))))
afterEach(() => rmSync(folder, { recursive: true }))

let runs = 0
/** Runs the source with its probes. Returns its export `value` and the kinds of the mutations that were recorded. */
async function run(source: string): Promise<{ value: unknown; recorded: string[] }> {
  const recorder = join(folder, `recorder-${++runs}.mjs`)
  writeFileSync(recorder, RECORDER)
  writeFileSync(join(folder, RECORD_FILE), '')
  writeFileSync(join(folder, `program-${runs}.ts`), probed('some.ts', source, recorder))
  const { value } = (await import(join(folder, `program-${runs}.ts`))) as { value: unknown }
  const names = readFileSync(join(folder, RECORD_FILE), 'utf8').trim().split('\n')
  const mutations = mutationsIn('some.ts', source)
  const knownNames = namesOf('some.ts', source, mutations)
  return { value, recorded: mutations.filter((_, index) => names.includes(knownNames[index]!)).map(({ kind }) => kind) }
}

test.each([
  // Operators are recorded only where the other operator would have given another result.
  ['export const value = 1 < 2', true, []],
  ['export const value = 2 < 2', false, ['< to <=']],
  ['export const value = 5 * 1 - 0', 5, []],
  ['export const value = (2 + 3) * 4', 20, ['+ to -', '* to /']],
  ['export const value = 2 === (1 as number)', false, ['=== to !==']],
  // With both operands true, `a && b` equals `a || b`. An operand that was not evaluated could have any value.
  ['const a = true, b = true\nexport const value = a && b', true, ['true to false', 'true to false']],
  ['const a = 1 > 2\nexport const value = a && a', false, ['&& to ||']],
  ['const a = 1\nexport const value = a && true', true, ['&& to ||', 'true to false']],
  ['const a = 1, b = 2\nexport const value = a === 1 && b === 2', true, ['=== to !==', '=== to !==']],
  // Conditions are recorded when they differ from the constant, and always if evaluating them has side effects.
  ['export const value = Number(1) > 0 ? "a" : "b"', 'a', ['choice always first', 'choice always second']],
  ['const a = 1\nexport const value = a > 0 ? "a" : "b"', 'a', ['choice always second']],
  ['let value = 0\nif (value > 1) value = 2\nexport { value }', 0, ['condition always true']],
  // A function that never runs records nothing.
  ['const f = (a) => !a\nexport const value = 3', 3, []],
  ['export const value = undefined ?? 4', 4, ['fallback left out']],
  ['export const value = 3 ?? 4', 3, []],
  ['const all = []\nall.push(1)\nexport const value = all', [1], ['statement left out']],
  ['export const value = [1, 2].filter((n) => n > 0)', [1, 2], ['filter() left out']],
  ['const sql = (a) => a[0]\nexport const value = sql`a and b`', 'a and b', ['SQL: and to or']],
])('%s', async (source, value, recorded) => {
  expect(await run(source)).toEqual({ value, recorded })
})

test('keeps the name of a mutation while other lines change, and names equal mutations on equal lines apart', () => {
  const names = (source: string) => namesOf('some.ts', source, mutationsIn('some.ts', source))
  const before = names('if (a) go()\nif (a) go()')
  expect(new Set(before).size).toBe(before.length)
  expect(names('const b = c > d\nif (a) go()\nif (a) go()').slice(1)).toEqual(before)
})
