import { expect, test } from 'vitest'
import { BUSY_PERCENT } from '@trainyard/contract/words/classroom.ts'
import { meaningOf } from './measure.ts'

const TEN = Date.parse('2026-11-20T10:00:00Z')
const at = (minute: number) => new Date(TEN + minute * 60_000)
/** Minutes from ten o'clock on, by what their processor was used. */
const minutes = (...percents: (number | null)[]) => percents.map((percent, minute) => ({ at: at(minute), percent }))

test('minutes that are idle say how busy the last of them was, and that none was busy', () => {
  const idle = BUSY_PERCENT - 0.1
  expect(meaningOf(minutes(3, idle, 1.5), at(0), at(0))).toEqual({ percent: 1.5, cpuAt: at(3), busyAt: null })
})

test('the last busy minute counts, from the very percent on that is busy', () => {
  expect(meaningOf(minutes(90, BUSY_PERCENT, 1), at(0), at(0))).toMatchObject({ busyAt: at(2) })
  expect(meaningOf(minutes(1, 90), at(0), at(0))).toMatchObject({ busyAt: at(2) })
})

test('minutes that were known before say nothing anew, and a part of one that was not does', () => {
  const seen = minutes(90, 90, 1)
  expect(meaningOf(seen, at(3), at(0))).toBeNull()
  expect(meaningOf(seen, at(2), at(0))).toMatchObject({ percent: 1, busyAt: null })
  expect(meaningOf(seen, new Date(at(2).getTime() - 1), at(0))).toMatchObject({ busyAt: at(2) })
})

test('a minute that was not measured counts as busy where a measured one follows, and not at the end', () => {
  expect(meaningOf(minutes(1, null, 2, null, null), at(0), at(0))).toEqual({ percent: 2, cpuAt: at(3), busyAt: at(2) })
  expect(meaningOf(minutes(null, null), at(0), at(0))).toBeNull()
  expect(meaningOf([], at(0), at(0))).toBeNull()
})

test('time that no look reaches back to counts as busy, but for a minute', () => {
  expect(meaningOf(minutes(1), at(-2), at(0))).toMatchObject({ busyAt: at(0) })
  expect(meaningOf(minutes(1), at(-1), at(0))).toMatchObject({ busyAt: null })
  expect(meaningOf(minutes(90, 1), at(-2), at(0))).toMatchObject({ busyAt: at(1) })
})

test('a provider that measures more than all of a processor, or less than nothing, is bounded', () => {
  expect(meaningOf(minutes(100.4), at(0), at(0))).toMatchObject({ percent: 100 })
  expect(meaningOf(minutes(-0.2), at(0), at(0))).toMatchObject({ percent: 0 })
})
