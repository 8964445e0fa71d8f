// oxlint-disable-next-line import/default -- a CommonJS module
import rruleLibrary from 'rrule'
import { expect, test } from 'vitest'
import { enclosingWindow } from './enclosing-window.ts'
import { occurrencesOf, stopDateOf } from './occurrences.ts'

const { RRule, RRuleSet } = rruleLibrary
const MINUTE = 60_000

/** Returns the dates of a rule as the library `rrule` computes them, without the excluded dates. */
function datesByRrule(from: string, until: string, weekdays: readonly number[], excluded: readonly string[]): string[] {
  const at = (date: string) => new Date(`${date}T00:00:00Z`)
  const set = new RRuleSet()
  set.rrule(
    new RRule({
      freq: RRule.WEEKLY,
      dtstart: at(from),
      until: at(until),
      byweekday: weekdays.map(
        (day) => [RRule.MO, RRule.TU, RRule.WE, RRule.TH, RRule.FR, RRule.SA, RRule.SU][day - 1]!,
      ),
    }),
  )
  for (const date of excluded) set.exdate(at(date))
  return set.all().map((date) => date.toISOString().slice(0, 10))
}

/**
 * Returns the first minute at which a wall clock in the zone shows the given time or a later time, by testing each
 * minute.
 */
function byWallClock(timeZone: string, date: string, time: string): number {
  const wall = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  const target = `${date} ${time}`
  let minute = Date.parse(`${date}T${time}:00Z`) - 16 * 60 * MINUTE
  while (wall.format(minute) < target) minute += MINUTE
  return minute
}

const HOLIDAYS = ['2027-01-26', '2027-03-29', '2027-05-31', '2028-02-29', '2027-10-31']

test.each([
  ['Asia/Kolkata', '09:00', '17:00', [1], '2026-11-30', '2027-03-29'],
  ['Europe/Berlin', '02:30', '10:00', [7, 1], '2027-02-01', '2027-11-30'],
  ['Europe/Berlin', '22:00', '02:30', [6, 3], '2027-03-01', '2027-11-10'],
  ['America/New_York', '01:30', '03:00', [7], '2027-02-27', '2027-11-30'],
  ['Australia/Lord_Howe', '01:45', '09:00', [6, 7], '2027-03-20', '2027-10-31'],
  ['Pacific/Auckland', '23:00', '23:00', [1, 2, 3, 4, 5, 6, 7], '2027-09-01', '2027-10-31'],
  // Month ends, and the 29 February of a leap year.
  ['Asia/Kathmandu', '18:00', '00:15', [1, 2, 3, 4, 5], '2028-01-28', '2028-03-04'],
] as const)(
  'sessions in %s from %s to %s on %j agree with rrule and a wall clock',
  (timeZone, start, stop, weekdays, from, until) => {
    const { sessions, onHolidays, skippedByClocks } = occurrencesOf(
      { weekdays, from, until, start, stop },
      timeZone,
      new Set(HOLIDAYS),
    )
    expect(sessions.map(({ date }) => date)).toEqual(datesByRrule(from, until, weekdays, HOLIDAYS))
    expect([...sessions.map(({ date }) => date), ...onHolidays].toSorted()).toEqual(
      datesByRrule(from, until, weekdays, []),
    )
    expect(skippedByClocks).toEqual([])
    for (const { date, startsAt, stopsAt } of sessions) {
      expect([date, startsAt.getTime()]).toEqual([date, byWallClock(timeZone, date, start)])
      expect([date, stopsAt.getTime()]).toEqual([date, byWallClock(timeZone, stopDateOf(date, { start, stop }), stop)])
    }
  },
)

test('omits a session if the clocks skip its whole duration, and returns the other sessions', () => {
  const rule = { weekdays: [7], from: '2027-03-21', until: '2027-04-04', start: '02:10', stop: '02:50' }
  const { sessions, skippedByClocks } = occurrencesOf(rule, 'Europe/Berlin', new Set())
  expect(sessions.map(({ date }) => date)).toEqual(['2027-03-21', '2027-04-04'])
  expect(skippedByClocks).toEqual(['2027-03-28'])
})

const [MON, TUE, SUN] = ['2027-03-01', '2027-03-02', '2027-03-07']
const hours = (date: string, start: string, stop: string) => ({ date, start, stop })

test.each([
  [[], null],
  [[hours(MON, '09:00', '17:00')], { start: '09:00', stop: '17:00', days: [1] }],
  [[hours(TUE, '10:00', '18:00'), hours(MON, '09:00', '17:00')], { start: '09:00', stop: '18:00', days: [1, 2] }],
  [[hours(SUN, '22:00', '02:00')], { start: '22:00', stop: '02:00', days: [7] }],
  [[hours(SUN, '22:00', '02:00'), hours(MON, '09:00', '17:00')], { start: '09:00', stop: '02:00', days: [1, 7] }],
  // The two sessions together leave no time of day closed.
  [[hours(SUN, '22:00', '09:30'), hours(MON, '09:00', '17:00')], null],
  [[hours(MON, '09:00', '09:00')], null],
  [
    Array.from({ length: 7 }, (_, day) => hours(`2027-03-0${day + 1}`, '09:00', '17:00')),
    { start: '09:00', stop: '17:00', days: null },
  ],
])('the window of %j is %j', (sessions, window) => {
  expect(enclosingWindow(sessions)).toEqual(window)
})
