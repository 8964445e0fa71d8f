import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { namesOf, rowsOf } from './spec-coverage.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const rows = rowsOf(readFileSync(`${root}docs/spec-coverage.md`, 'utf8'))
const threats = rowsOf(readFileSync(`${root}docs/security/threats.md`, 'utf8'))

test('every requirement of the specification names its tests', () => {
  expect(rows.length).toBeGreaterThan(200)
  expect(rows.filter(({ tests }) => tests.length === 0).map(({ requirement }) => requirement)).toEqual([])
})

test('every attack names its tests', () => {
  expect(threats.length).toBeGreaterThan(20)
  expect(threats.filter(({ tests }) => tests.length === 0).map(({ requirement }) => requirement)).toEqual([])
})

test('every test named there is there', () => {
  const named = new Map<string, Set<string>>()
  const absent = [...rows, ...threats]
    .flatMap(({ tests }) => tests)
    .filter(({ file, title }) => {
      if (!named.has(file))
        named.set(file, existsSync(root + file) ? namesOf(readFileSync(root + file, 'utf8')) : new Set())
      return !named.get(file)!.has(title)
    })
  expect(absent).toEqual([])
})

test('a row without a test, and a title as the code writes it, are seen', () => {
  expect(
    rowsOf('| Requirement | Proved by |\n| --- | --- |\n| One | |\n| Two | `a/b.test.ts`: it holds<br>`c.ts`: so |'),
  ).toEqual([
    { requirement: 'One', tests: [] },
    {
      requirement: 'Two',
      tests: [
        { file: 'a/b.test.ts', title: 'it holds' },
        { file: 'c.ts', title: 'so' },
      ],
    },
  ])
  expect(
    namesOf("test('one', () => {})\n  it.each([['a']])('two %s', () => {})\ntest(`of ${role}`, f)\ntest(\"don't\", f)"),
  ).toEqual(new Set(['one', 'two %s', 'of ${role}', "don't"]))
})
