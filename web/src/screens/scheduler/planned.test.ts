import { expect, test } from 'vitest'
import { addPlanned, clockNote, endNote, isOver } from './planned.ts'

const KOLKATA = 'Asia/Kolkata'
const BERLIN = 'Europe/Berlin'

// @covers R3.24 R6.6
test('dates are added in order of time, and none twice', () => {
  const start = { time: '09:00', action: 'Start' } as const
  const list = addPlanned([], ['2026-12-02', '2026-12-01'], start)
  expect(list.map(({ date }) => date)).toEqual(['2026-12-01', '2026-12-02'])
  expect(addPlanned(list, ['2026-12-01'], start)).toEqual(list)
})

test('the same day may have a start and a stop', () => {
  const list = addPlanned([{ date: '2026-12-01', time: '18:00', action: 'Stop' }], ['2026-12-01'], {
    time: '09:00',
    action: 'Start',
  })
  expect(list.map(({ action }) => action)).toEqual(['Start', 'Stop'])
})

test('an entry’s instant is judged in the organisation’s zone', () => {
  const now = new Date('2026-11-21T04:00:00Z') // 09:30 in India
  expect(isOver({ date: '2026-11-21', time: '09:30', action: 'Stop' }, KOLKATA, now)).toBe(true)
  expect(isOver({ date: '2026-11-21', time: '09:31', action: 'Stop' }, KOLKATA, now)).toBe(false)
})

test('a time that the clocks skip or show twice has a warning', () => {
  const at = (date: string, time: string, zone: string) => clockNote({ date, time, action: 'Start' }, zone)
  expect(at('2026-03-29', '02:30', BERLIN)).toBe('Clocks go forward over 02:30 that day: it happens as they do.')
  expect(at('2026-10-25', '02:30', BERLIN)).toBe(
    'Clocks go back that day and show 02:30 twice: it happens the first time.',
  )
  expect(at('2026-10-25', '04:30', BERLIN)).toBeNull()
  expect(at('2026-03-29', '02:30', KOLKATA)).toBeNull()
})

test('a day after the training’s last is warned about, that day itself is not', () => {
  const on = (date: string, endsOn: string | null) => endNote({ date, time: '09:00', action: 'Start' }, endsOn)
  expect(on('2026-12-01', '2026-11-30')).toBe('After the training’s last day, 30/11/2026.')
  expect([on('2026-11-30', '2026-11-30'), on('2026-12-01', null)]).toEqual([null, null])
})
