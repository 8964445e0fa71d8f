import { expect, test } from 'vitest'
import { filterOf } from './filter.ts'

test('includes both days in the given time zone', () => {
  expect(filterOf({ from: '2026-03-01', until: '2026-03-01' }, 'Asia/Kolkata')).toEqual({
    from: '2026-02-28T18:30:00.000Z',
    until: '2026-03-01T18:30:00.000Z',
  })
  // This day has 25 hours.
  expect(filterOf({ from: '2026-10-25', until: '2026-10-25' }, 'Europe/Berlin')).toEqual({
    from: '2026-10-24T22:00:00.000Z',
    until: '2026-10-25T23:00:00.000Z',
  })
})

test('omits empty fields and invalid days', () => {
  expect(filterOf({ text: '  ', person: '', call: '', from: 'soon' }, 'UTC')).toEqual({})
  expect(filterOf({ text: ' a b ', person: ' raj@acme.test', call: 'machine.order' }, 'UTC')).toEqual({
    text: 'a b',
    person: 'raj@acme.test',
    call: 'machine.order',
  })
})
