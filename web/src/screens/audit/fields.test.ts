import { expect, test } from 'vitest'
import { fieldsOf } from './fields.ts'

test('shows a field before and after, also where a value is missing', () => {
  expect(fieldsOf({ role: 'user', quota: 60 }, { role: 'admin', window: null })).toEqual([
    { name: 'role', was: 'user', is: 'admin' },
    { name: 'quota', was: '60', is: '–' },
    { name: 'window', was: '–', is: '–' },
  ])
  expect(fieldsOf(null, { name: 'x' })).toEqual([{ name: 'name', was: '–', is: 'x' }])
})
