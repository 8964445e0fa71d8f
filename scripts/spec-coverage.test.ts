import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { coverageIn, filledPage, idsIn, PAGES, readCoverage } from './spec-coverage.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const coverage = readCoverage(root)
const pages = PAGES.map((name) => ({ name, text: readFileSync(root + name, 'utf8') }))
const ids = pages.flatMap(({ text }) => idsIn(text))

test('every requirement and every attack has a unique ID and at least one test', () => {
  expect(ids.filter((id) => id.startsWith('R')).length).toBeGreaterThan(200)
  expect(ids.filter((id) => id.startsWith('A')).length).toBeGreaterThan(20)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !coverage.has(id))).toEqual([])
})

test('every ID in a @covers comment is listed in a page', () => {
  expect([...coverage.keys()].filter((id) => !ids.includes(id))).toEqual([])
})

test.each(pages)('$name is up to date: `npm run spec-coverage` writes it', ({ text }) => {
  // A boolean keeps the failure short: the page has 13,000 words.
  expect(text === filledPage(text, coverage)).toBe(true)
})

test('a @covers comment belongs to the test on the next line, with the titles of its describe blocks', () => {
  const source =
    "// @covers R1.1 A2\ntest.each([['a']])('logs %s in', () => {})\n  // @covers R3\n  it(`of ${role}`, f)"
  expect(coverageIn('a.test.ts', source)).toEqual([
    { id: 'R1.1', title: 'logs %s in' },
    { id: 'A2', title: 'logs %s in' },
    { id: 'R3', title: 'of ${role}' },
  ])
  const nested = [
    "describe.each([1])('a machine', () => {",
    "describe('that runs', () => {})\n// @covers R1\ntest('is stopped', f)",
    "test.describe('that is ready', () => {\n// @covers R2\ntest('is started', f)\n})\n})",
    "// @covers R3\ntest('bills a run', f)",
  ]
  expect(coverageIn('b.spec.ts', nested.join('\n'))).toEqual([
    { id: 'R1', title: 'a machine > is stopped' },
    { id: 'R2', title: 'a machine > that is ready > is started' },
    { id: 'R3', title: 'bills a run' },
  ])
  expect(() => coverageIn('a.test.ts', '// @covers R1\nconst a = 1')).toThrow('a.test.ts: no test follows')
})

test('the last column of a row is filled, or emptied if no test covers the ID', () => {
  const page = '| ID | Requirement | Proved by |\n| R1.1 | One | |\n| R1.2 | Two | `old.test.ts`: it |'
  const filled = filledPage(page, new Map([['R1.1', [{ file: 'c.ts', title: 'so' }]]]))
  expect(filled).toBe('| ID | Requirement | Proved by |\n| R1.1 | One | `c.ts`: so |\n| R1.2 | Two |  |')
})
