import { expect, test } from 'vitest'
import { z } from 'zod'
import { validate } from './validate.ts'

function refusalOf(schema: z.ZodType, body: unknown): string | undefined {
  const check = validate({ schema, method: 'POST', url: '/' }) as (given: unknown) => { error?: Error }
  return check(body).error?.message
}

test.each([
  [
    'a full sentence from the schema',
    z.strictObject({ emails: z.array(z.string()).max(1, 'Too many people for one order.') }),
    { emails: ['a', 'b'] },
    'Too many people for one order.',
  ],
  [
    'a continuation from the schema',
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
  ['a check without a message', z.strictObject({ a: z.string().refine(() => false) }), { a: 'x' }, 'a is not valid.'],
  [
    'several unknown fields of an item',
    z.strictObject({ rows: z.array(z.strictObject({})) }),
    { rows: [{ x: 1, y: 2 }] },
    'x, y is not a known field of rows (item 1).',
  ],
])('has a plain message for %s', (_what, schema, body, sentence) => {
  expect(refusalOf(schema, body)).toBe(sentence)
})

test('accepts a valid body', () => {
  expect(refusalOf(z.strictObject({ a: z.int() }), { a: 1 })).toBeUndefined()
})
