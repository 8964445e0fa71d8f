import { expect, test } from 'vitest'
import { z } from 'zod'
import { problemsIn } from './problems.ts'

const shape = z.strictObject({
  minutes: z.int('must be whole minutes').min(5, 'must be at least 5').nullable().optional(),
  groups: z.array(z.strictObject({ role: z.enum(['user', 'admin'], 'must be user or admin') })),
})

test('finds no problem in a body that the call accepts', () => {
  expect(problemsIn(shape, { minutes: 5, groups: [{ role: 'user' }] })).toEqual({})
})

test('says of each field what the contract says', () => {
  expect(problemsIn(shape, { minutes: Number.NaN, groups: [] })).toEqual({ minutes: 'Must be whole minutes.' })
  expect(problemsIn(shape, { minutes: Number.NaN, groups: [] }, { minutes: '1 0' })).toEqual({
    minutes: 'Enter the number without spaces, as in 1,00,000 or 100000.',
  })
  const text = z.object({ name: z.string().min(1, 'Enter a name.'), rate: z.number().min(1, 'must be a rate') })
  expect(problemsIn(text, { name: '', rate: 0 })).toEqual({ name: 'Enter a name.', rate: 'Enter a rate.' })
  expect(problemsIn(shape, { minutes: 4, groups: [{ role: 'user' }, { role: 'owner' }] })).toEqual({
    minutes: 'Must be at least 5.',
    groups: 'Must be user or admin.',
    'groups.1.role': 'Must be user or admin.',
  })
  const days = z.object({ days: z.array(z.int('must be days')) })
  expect(problemsIn(days, { days: [3, Number.NaN] }, { days: '3, x' })['days']).toBe('Must be days.')
})
