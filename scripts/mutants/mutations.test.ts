import { expect, test } from 'vitest'
import { lineOf, mutated, mutationsIn } from './mutations.ts'
import { moduleOf } from './modules.ts'
import { sampleOf } from './sample.ts'

const all = (source: string) => mutationsIn('some.ts', source).map((each) => mutated(source, each))

test('operators, conditions, statements and links of a chain are mutated, each once', () => {
  expect(all('const a = b <= 1 && c')).toEqual(['const a = b < 1 && c', 'const a = b <= 1 || c'])
  expect(all('if (a) go()')).toEqual(['if (true) go()', 'if (false) go()', 'if (a) void 0;'])
  expect(all("const a = db.where('x', '<', 1).get()")).toEqual([
    'const a = db.get()',
    "const a = db.where('x', '<=', 1).get()",
  ])
  expect(all('const a = b ?? 0')).toEqual(['const a = b'])
  expect(all('const a = !b')).toEqual(['const a = b'])
})

test('written SQL is mutated word by word, what is not SQL is left', () => {
  expect(all('const a = sql`x is not null and y <> ${b}`')).toEqual([
    'const a = sql`x is null and y <> ${b}`',
    'const a = sql`x is not null or y <> ${b}`',
    'const a = sql`x is not null and y = ${b}`',
  ])
  expect(all('const a = `x and y`')).toEqual([])
})

test('calls that only tell workers to look are left in, and so is the boundary of an instant', () => {
  expect(all('await notifyWorkers(tx)')).toEqual([])
  expect(all("await sql`select pg_notify('due', '')`.execute(tx)")).toEqual([])
  expect(all('const a = sql`due_at <= portal_now()`')).toEqual([])
  expect(all('const a = sql`portal_now() < due_at`')).toEqual([])
  expect(all("const a = db.where('due_at', '<', sql`portal_now() - interval '1 day'`)")).toHaveLength(2)
  expect(all('const a = sql`counted < ${few}`')).toEqual(['const a = sql`counted <= ${few}`'])
})

test('types are not mutated, and a mutation tells its line', () => {
  expect(all('type A = true | { readonly b: 1 }')).toEqual([])
  const source = 'const a = 1\nconst b = a > 1'
  expect(mutationsIn('some.ts', source).map((each) => lineOf(source, each))).toEqual([2])
})

test('a sample takes from each stratum its share, the same for the same seed', () => {
  const strata = new Map([
    ['big', Array.from({ length: 90 }, (_, n) => `big ${n}`)],
    ['small', Array.from({ length: 10 }, (_, n) => `small ${n}`)],
  ])
  const draw = (of: ReadonlyMap<string, readonly string[]>, seed: string) => sampleOf(of, 20, seed, (each) => each)
  const drawn = draw(strata, '7')
  expect(drawn.filter((each) => each.startsWith('small'))).toHaveLength(2)
  expect(new Set(drawn).size).toBe(20)
  expect(draw(strata, '7')).toEqual(drawn)
  expect(draw(strata, '8')).not.toEqual(drawn)
  // One that comes in front of all moves nobody else.
  const grown = draw(new Map([...strata, ['big', ['big new', ...strata.get('big')!]]]), '7')
  expect(grown.filter((each) => drawn.includes(each)).length).toBeGreaterThanOrEqual(19)
})

test('a source belongs to its module; tests, what tests alone import, and ports belong to none', () => {
  expect(moduleOf('server/src/domain/sandbox/aws/step.ts')).toBe('domain/sandbox')
  expect(moduleOf('server/src/worker/worker.ts')).toBe('worker')
  expect(moduleOf('server/src/providers/azure/ask.ts')).toBe('providers/azure')
  expect(moduleOf('server/test/azure-recorded/held.ts')).toBe(null)
  expect(moduleOf('server/src/providers/cloud.ts')).toBe(null)
  expect(moduleOf('server/src/domain/lab/order/order-parts.test.ts')).toBe(null)
})
