import { expect, test } from 'vitest'
import { z } from 'zod'
import { validate } from './validate.ts'

/** Returns the sentence that refuses the body; undefined: it is taken. */
function refusalOf(schema: z.ZodType, body: unknown): string | undefined {
  const check = validate({ schema, method: 'POST', url: '/' }) as (given: unknown) => { error?: Error }
  return check(body).error?.message
}

test.each([
  [
    'a sentence of the shape that begins as words of zod do',
    z.strictObject({ emails: z.array(z.string()).max(1, 'Too many people for one order.') }),
    { emails: ['a', 'b'] },
    'Too many people for one order.',
  ],
  [
    'words of the shape that end as words of zod do',
    z.strictObject({ code: z.string().refine(() => false, 'must be the code that you received undefined') }),
    { code: 'a' },
    'code must be the code that you received undefined.',
  ],
  [
    'a field named by a number',
    z.strictObject({ days: z.record(z.string(), z.boolean()) }),
    { days: { '3': 'yes' } },
    'days.3 must be true or false.',
  ],
  ['a check without words', z.strictObject({ a: z.string().refine(() => false) }), { a: 'x' }, 'a is not as expected.'],
  [
    'several unknown fields of an item',
    z.strictObject({ rows: z.array(z.strictObject({})) }),
    { rows: [{ x: 1, y: 2 }] },
    'x, y is not a known field of rows (item 1).',
  ],
])('%s is said plainly', (_what, schema, body, sentence) => {
  expect(refusalOf(schema, body)).toBe(sentence)
})

test('a body of the right shape is taken', () => {
  expect(refusalOf(z.strictObject({ a: z.int() }), { a: 1 })).toBeUndefined()
})
