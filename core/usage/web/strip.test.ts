import { expect, test } from 'vitest'
import { stripOf } from './strip.ts'

const KOLKATA = 'Asia/Kolkata'

test('assigns a run to the day of the time zone, not of UTC', () => {
  // 20:00 to 23:00 UTC on the 19th is 01:30 to 04:30 on the 20th in India.
  const runs = [{ start: '2026-11-19T20:00:00Z', stop: '2026-11-19T23:00:00Z' }]
  const [today, yesterday] = stripOf(runs, '2026-11-20T06:30:00Z', KOLKATA, 2)
  expect(today).toEqual({ label: '20 Nov 2026', blocks: [{ from: 1.5 / 24, to: 4.5 / 24, running: false }] })
  expect(yesterday).toEqual({ label: '19 Nov 2026', blocks: [] })
})

test('splits a run at midnight, and ends a run in progress now', () => {
  const runs = [{ start: '2026-11-19T12:30:00Z', stop: null }]
  const [today, yesterday] = stripOf(runs, '2026-11-20T06:30:00Z', KOLKATA, 2)
  expect(today!.blocks).toEqual([{ from: 0, to: 0.5, running: true }])
  expect(yesterday!.blocks).toEqual([{ from: 0.75, to: 1, running: false }])
})

test('scales a day of 23 hours when clocks go forward', () => {
  const runs = [{ start: '2026-03-28T23:00:00Z', stop: '2026-03-29T22:00:00Z' }]
  const [, sunday] = stripOf(runs, '2026-03-30T10:00:00Z', 'Europe/Berlin', 2)
  expect(sunday).toEqual({ label: '29 Mar 2026', blocks: [{ from: 0, to: 1, running: false }] })
  const [, half] = stripOf(
    [{ start: '2026-03-28T23:00:00Z', stop: '2026-03-29T10:30:00Z' }],
    '2026-03-30T10:00:00Z',
    'Europe/Berlin',
    2,
  )
  expect(half!.blocks).toEqual([{ from: 0, to: 0.5, running: false }])
})
