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
  expect(problemsIn(shape, { minutes: 4, groups: [{ role: 'user' }, { role: 'owner' }, { role: '' }] })).toEqual({
    minutes: 'Must be at least 5.',
    groups: 'Must be user or admin.',
  })
})
