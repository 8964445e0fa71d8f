import { expect, test } from 'vitest'
import { filterOf } from './filter.ts'

test('both days belong to what is shown, as the zone’s calendar has them', () => {
  expect(filterOf({ from: '2026-03-01', until: '2026-03-01' }, 'Asia/Kolkata')).toEqual({
    from: '2026-02-28T18:30:00.000Z',
    until: '2026-03-01T18:30:00.000Z',
  })
  // A day of 25 hours.
  expect(filterOf({ from: '2026-10-25', until: '2026-10-25' }, 'Europe/Berlin')).toEqual({
    from: '2026-10-24T22:00:00.000Z',
    until: '2026-10-25T23:00:00.000Z',
  })
})

test('an empty field, and a day that is none, ask for nothing', () => {
  expect(filterOf({ text: '  ', person: '', call: '', from: 'soon' }, 'UTC')).toEqual({})
  expect(filterOf({ text: ' a b ', person: ' raj@acme.test', call: 'machine.order' }, 'UTC')).toEqual({
    text: 'a b',
    person: 'raj@acme.test',
    call: 'machine.order',
  })
})
