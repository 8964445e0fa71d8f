import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { circlesIn, importsIn } from './imports.ts'
import { isTestFile, moduleOf, MODULES, refusalOf } from './modules.ts'

const imports = importsIn(fileURLToPath(new URL('../', import.meta.url)))

test('every import is allowed by its module', () => {
  const refusals = [...imports].flatMap(([from, paths]) =>
    paths.map((to) => refusalOf(from, to)).filter((refusal) => refusal !== null),
  )
  expect(refusals).toEqual([])
})

test('every source file belongs to a module, and every module has a source file', () => {
  const sourceFiles = [...imports.keys()].filter((path) => !isTestFile(path) && path.includes('/'))
  expect(sourceFiles.filter((path) => moduleOf(path) === undefined)).toEqual([])
  const usedModules = new Set([...imports.keys()].map((path) => moduleOf(path)?.name))
  expect(MODULES.filter(({ name }) => !usedModules.has(name))).toEqual([])
})

test('every pair of modules that is not allowed is refused', () => {
  const examplePath = ({ at: path }: (typeof MODULES)[number]) => (path.endsWith('.ts') ? path : `${path}x/some.ts`)
  const sources = MODULES.filter(({ name }) => name !== 'e2e' && name !== 'bench')
  let checkedPairs = 0
  for (const from of sources) {
    for (const to of sources) {
      if (from === to) continue
      const allowed = from.imports.includes(to.name)
      // A port is a file directly in the folder; its subfolders are adapters.
      const pathOf = (each: typeof from) => (each.name === 'ports' ? `${each.at}cloud.ts` : examplePath(each))
      expect(`${from.name} -> ${to.name} ${refusalOf(pathOf(from), pathOf(to)) === null}`).toBe(
        `${from.name} -> ${to.name} ${allowed}`,
      )
      checkedPairs += 1
    }
  }
  expect(checkedPairs).toBeGreaterThan(1_000)
})

test('production code imports no test file', () => {
  expect(refusalOf('server/src/worker/parts.ts', 'server/test/environment.ts')).toMatch(/serves no test/)
  expect(refusalOf('server/test/environment.ts', 'server/src/providers/azure/cloud.ts')).toBe(null)
})

test('no file imports itself, directly or through others', () => {
  expect(circlesIn(imports)).toEqual([])
  const circle = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['a', 'd']],
    ['d', []],
  ])
  expect(circlesIn(circle).map((files) => files.toSorted())).toEqual([['a', 'b', 'c']])
})
