import { expect, test } from 'vitest'
import { addPlanned, clockNote, endNote, hasPassed } from './planned.ts'

const KOLKATA = 'Asia/Kolkata'
const BERLIN = 'Europe/Berlin'

test('adds dates in order of time without duplicates', () => {
  const start = { time: '09:00', action: 'Start' } as const
  const list = addPlanned([], ['2026-12-02', '2026-12-01'], start)
  expect(list.map(({ date }) => date)).toEqual(['2026-12-01', '2026-12-02'])
  expect(addPlanned(list, ['2026-12-01'], start)).toEqual(list)
})

test('allows a start and a stop on the same day', () => {
  const list = addPlanned([{ date: '2026-12-01', time: '18:00', action: 'Stop' }], ['2026-12-01'], {
    time: '09:00',
    action: 'Start',
  })
  expect(list.map(({ action }) => action)).toEqual(['Start', 'Stop'])
})

test("compares an entry's time in the organisation's time zone", () => {
  const now = new Date('2026-11-21T04:00:00Z') // 09:30 in India.
  expect(hasPassed({ date: '2026-11-21', time: '09:30', action: 'Stop' }, KOLKATA, now)).toBe(true)
  expect(hasPassed({ date: '2026-11-21', time: '09:31', action: 'Stop' }, KOLKATA, now)).toBe(false)
})

test('warns about times that the clocks skip or show twice', () => {
  const at = (date: string, time: string, zone: string) => clockNote({ date, time, action: 'Start' }, zone)
  expect(at('2026-03-29', '02:30', BERLIN)).toBe('Clocks skip 02:30 on that day. The run starts when they go forward.')
  expect(at('2026-10-25', '02:30', BERLIN)).toBe(
    'Clocks go back on that day and show 02:30 twice. The run starts the first time.',
  )
  expect(at('2026-10-25', '04:30', BERLIN)).toBeNull()
  expect(at('2026-03-29', '02:30', KOLKATA)).toBeNull()
})

test("warns about days after the training's last day, not about that day", () => {
  const on = (date: string, endsOn: string | null) => endNote({ date, time: '09:00', action: 'Start' }, endsOn)
  expect(on('2026-12-01', '2026-11-30')).toBe('After the training’s last day, 30/11/2026.')
  expect([on('2026-11-30', '2026-11-30'), on('2026-12-01', null)]).toEqual([null, null])
})
