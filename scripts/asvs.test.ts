import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const rows = readFileSync(`${root}docs/security/asvs.md`, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| V'))
  .map((line) => {
    const [id = '', level = '', state = '', text = ''] = line.slice(2, -2).split(' | ')
    return { id, level, state, text }
  })

/** Number of requirements of levels 1 and 2 in ASVS 5.0.0 */
const REQUIREMENTS = 253

/** Path of the standard: the `ASVS` environment variable, or a file next to the checkout */
const reference = [
  process.env['ASVS'],
  fileURLToPath(new URL('../../shared/references/asvs/asvs-5.0.0-level-1-2.csv', import.meta.url)),
].find((file) => file !== undefined && existsSync(file))

test('lists each requirement of levels 1 and 2 exactly once', () => {
  expect(rows).toHaveLength(REQUIREMENTS)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(REQUIREMENTS)
  expect(rows.filter(({ id, level }) => !/^V\d+\.\d+\.\d+$/.test(id) || !['1', '2'].includes(level))).toEqual([])
})

test.runIf(reference !== undefined)('matches the published standard, if a copy is available', () => {
  const lines = readFileSync(reference!, 'utf8').split('\n')
  const ids = lines.flatMap((line) => /^(V\d+\.\d+\.\d+),([12]),/.exec(line)?.slice(1, 3).join(' ') ?? [])
  expect(rows.map(({ id, level }) => `${id} ${level}`)).toEqual(ids)
})

test('states for each requirement whether it is met, and why not if it is not', () => {
  const states = new Set(['met', 'not applicable', 'deviates', 'not met yet'])
  expect(rows.filter(({ state, text }) => !states.has(state) || text.trim() === '').map(({ id }) => id)).toEqual([])
  const unsigned = rows.filter(
    ({ state, text }) => state === 'deviates' && !/Accepted by .+, \d{4}-\d\d-\d\d\.$/.test(text.trim()),
  )
  expect(unsigned.map(({ id }) => id)).toEqual([])
})

test('names only files that exist', () => {
  const references = rows.flatMap(({ id, text }) =>
    [...text.matchAll(/`((?:contract|server|web|e2e|emulator|docs|scripts)\/[^`]+|package-lock\.json)`/g)].map(
      ([, file]) => ({
        id,
        file: file!,
      }),
    ),
  )
  expect(references.length).toBeGreaterThan(150)
  expect(references.filter(({ file }) => !existsSync(root + file))).toEqual([])
})
