import { expect, test } from 'vitest'
import type { ClassSession } from '../../contract/class-session.ts'
import { repeatWords, stateOf, timeWords } from './session-words.ts'

const SESSION: ClassSession = {
  _id: 'one',
  date: '2026-11-30',
  start: '09:00',
  stop: '17:00',
  startsAt: '2026-11-30T03:30:00Z',
  stopsAt: '2026-11-30T11:30:00Z',
  weekly: { weekdays: [1, 3], until: '2027-03-29' },
  limitsAccess: true,
  skipped: false,
  moved: false,
  ready: 'pending',
  powerOn: 'pending',
  shutDown: 'pending',
  holiday: null,
  cost: 0,
}
const [BEFORE, DURING, AFTER] = ['2026-11-30T03:00Z', '2026-11-30T05:00Z', '2026-11-30T11:30Z'] as const

test.each([
  [{}, BEFORE, '', 'planned'],
  [{ ready: 'done' }, BEFORE, 'Machines are being prepared', 'running'],
  [{ ready: 'missed' }, BEFORE, 'Preparation missed', 'warning'],
  [{ ready: 'none' }, BEFORE, '', 'planned'],
  [{ holiday: 'Diwali' }, BEFORE, 'On a holiday: Diwali', 'warning'],
  [{ powerOn: 'none' }, BEFORE, 'No power on planned', 'warning'],
  [{ shutDown: 'none' }, BEFORE, 'No shut down planned', 'warning'],
  [{ powerOn: 'done' }, DURING, 'In session', 'running'],
  [{ powerOn: 'missed' }, DURING, 'Machines were not started', 'warning'],
  [{ powerOn: 'done', shutDown: 'none' }, DURING, 'No shut down planned', 'warning'],
  [{ powerOn: 'done', shutDown: 'done' }, AFTER, 'Over', 'done'],
  [{ powerOn: 'missed', shutDown: 'missed' }, AFTER, 'Machines were not started', 'warning'],
  [{ skipped: true, powerOn: 'none', shutDown: 'none' }, BEFORE, 'Skipped', 'skipped'],
] as const)('a session with %j at %s shows "%s"', (fields, now, words, tone) => {
  expect(stateOf({ ...SESSION, ...fields }, new Date(now))).toEqual({ words, tone })
})

test('describes times and repetition', () => {
  expect(timeWords({ start: '22:00', stop: '02:00' })).toBe('22:00 to 02:00 on the next day')
  expect(repeatWords(SESSION)).toBe('Weekly: Mon, Wed until 29/03/2027')
  expect(repeatWords({ ...SESSION, moved: true })).toBe('Changed from the weekly class: Mon, Wed until 29/03/2027')
  expect(repeatWords({ ...SESSION, weekly: null })).toBe('Single session')
})
