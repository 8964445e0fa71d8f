import { expect, test } from 'vitest'
import { lineOf, mutated, mutationsIn } from './mutations.ts'
import { moduleOf } from './modules.ts'
import { sampleOf } from './sample.ts'

const all = (source: string) => mutationsIn('some.ts', source).map((each) => mutated(source, each))

test('mutates operators, conditions, statements and chained calls, each once', () => {
  expect(all('const a = b <= 1 && c')).toEqual(['const a = b < 1 && c', 'const a = b <= 1 || c'])
  expect(all('if (a) go()')).toEqual(['if (true) go()', 'if (false) go()', 'if (a) void 0;'])
  expect(all("const a = db.where('x', '<', 1).get()")).toEqual([
    'const a = db.get()',
    "const a = db.where('x', '<=', 1).get()",
  ])
  expect(all('const a = b ?? 0')).toEqual(['const a = b'])
  expect(all('const a = !b')).toEqual(['const a = b'])
})

test('mutates SQL in templates word by word and leaves other templates unchanged', () => {
  expect(all('const a = sql`x is not null and y <> ${b}`')).toEqual([
    'const a = sql`x is null and y <> ${b}`',
    'const a = sql`x is not null or y <> ${b}`',
    'const a = sql`x is not null and y = ${b}`',
  ])
  expect(all('const a = `x and y`')).toEqual([])
})

test('leaves calls that only wake workers, and comparisons with the current time, unchanged', () => {
  expect(all('await notifyWorkers(tx)')).toEqual([])
  expect(all("await sql`select pg_notify('due', '')`.execute(tx)")).toEqual([])
  expect(all('const a = sql`due_at <= portal_now()`')).toEqual([])
  expect(all('const a = sql`portal_now() < due_at`')).toEqual([])
  expect(all("const a = db.where('due_at', '<', sql`portal_now() - interval '1 day'`)")).toHaveLength(2)
  expect(all('const a = sql`counted < ${few}`')).toEqual(['const a = sql`counted <= ${few}`'])
})

test('does not mutate types and reports the line of a mutation', () => {
  expect(all('type A = true | { readonly b: 1 }')).toEqual([])
  const source = 'const a = 1\nconst b = a > 1'
  expect(mutationsIn('some.ts', source).map((each) => lineOf(source, each))).toEqual([2])
})

test('samples each stratum in proportion to its size, and identically for the same seed', () => {
  const strata = new Map([
    ['big', Array.from({ length: 90 }, (_, n) => `big ${n}`)],
    ['small', Array.from({ length: 10 }, (_, n) => `small ${n}`)],
  ])
  const draw = (candidates: ReadonlyMap<string, readonly string[]>, seed: string) =>
    sampleOf(candidates, 20, seed, (each) => each)
  const sample = draw(strata, '7')
  expect(sample.filter((each) => each.startsWith('small'))).toHaveLength(2)
  expect(new Set(sample).size).toBe(20)
  expect(draw(strata, '7')).toEqual(sample)
  expect(draw(strata, '8')).not.toEqual(sample)
  // A new first member must not change which other members are drawn.
  const drawnAgain = draw(new Map([...strata, ['big', ['big new', ...strata.get('big')!]]]), '7')
  expect(drawnAgain.filter((each) => sample.includes(each)).length).toBeGreaterThanOrEqual(19)
})

test('assigns a source file to its module, and assigns no module to tests, test-only folders and ports', () => {
  expect(moduleOf('server/src/domain/sandbox/aws/step.ts')).toBe('domain/sandbox')
  expect(moduleOf('server/src/worker/worker.ts')).toBe('worker')
  expect(moduleOf('server/src/providers/azure/calls.ts')).toBe('providers/azure')
  expect(moduleOf('server/test/azure-recorded/unexpected-results.ts')).toBe(null)
  expect(moduleOf('server/src/providers/cloud.ts')).toBe(null)
  expect(moduleOf('server/src/domain/lab/order/order-parts.test.ts')).toBe(null)
})
