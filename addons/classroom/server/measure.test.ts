import { expect, test } from 'vitest'
import { BUSY_PERCENT } from '../contract/classroom-words.ts'
import { summarize } from './measure.ts'

const TEN_O_CLOCK = Date.parse('2026-11-20T10:00:00Z')
const at = (minute: number) => new Date(TEN_O_CLOCK + minute * 60_000)
/** Returns one minute per CPU percentage, starting at ten o'clock. */
const minutes = (...percents: (number | null)[]) => percents.map((percent, minute) => ({ at: at(minute), percent }))

test('returns the usage of the last minute and no busy minute if all minutes are idle', () => {
  const idle = BUSY_PERCENT - 0.1
  expect(summarize(minutes(3, idle, 1.5), at(0), at(0))).toEqual({ percent: 1.5, cpuAt: at(3), busyAt: null })
})

test('returns the last busy minute, including one exactly at the threshold', () => {
  expect(summarize(minutes(90, BUSY_PERCENT, 1), at(0), at(0))).toMatchObject({ busyAt: at(2) })
  expect(summarize(minutes(1, 90), at(0), at(0))).toMatchObject({ busyAt: at(2) })
})

test('ignores minutes that were fully known before, but not minutes that were partly known', () => {
  const measuredMinutes = minutes(90, 90, 1)
  expect(summarize(measuredMinutes, at(3), at(0))).toBeNull()
  expect(summarize(measuredMinutes, at(2), at(0))).toMatchObject({ percent: 1, busyAt: null })
  expect(summarize(measuredMinutes, new Date(at(2).getTime() - 1), at(0))).toMatchObject({ busyAt: at(2) })
})

test('counts a missing minute as busy if a measured minute follows, but not at the end', () => {
  expect(summarize(minutes(1, null, 2, null, null), at(0), at(0))).toEqual({ percent: 2, cpuAt: at(3), busyAt: at(2) })
  expect(summarize(minutes(null, null), at(0), at(0))).toBeNull()
  expect(summarize([], at(0), at(0))).toBeNull()
})

test('counts time without possible measurements as busy, except for one minute', () => {
  expect(summarize(minutes(1), at(-2), at(0))).toMatchObject({ busyAt: at(0) })
  expect(summarize(minutes(1), at(-1), at(0))).toMatchObject({ busyAt: null })
  expect(summarize(minutes(90, 1), at(-2), at(0))).toMatchObject({ busyAt: at(1) })
})

test('limits the usage to 0 to 100 percent', () => {
  expect(summarize(minutes(100.4), at(0), at(0))).toMatchObject({ percent: 100 })
  expect(summarize(minutes(-0.2), at(0), at(0))).toMatchObject({ percent: 0 })
})
