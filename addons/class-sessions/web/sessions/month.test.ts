import { expect, test } from 'vitest'
import { monthAfter, weeksOf } from './month.ts'

test('lists each day of a month once, under its weekday', () => {
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
  const names = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
  for (let month = '2026-01'; month <= '2028-12'; month = monthAfter(month, 1)) {
    const weeks = weeksOf(month)
    const ofMonth = weeks.flat().filter((date) => date.startsWith(month))
    expect(ofMonth).toHaveLength(new Date(Date.parse(`${monthAfter(month, 1)}-01`) - 1).getUTCDate())
    expect(ofMonth[0]).toBe(`${month}-01`)
    expect(new Set(ofMonth).size).toBe(ofMonth.length)
    for (const week of weeks) {
      expect(week.map((date) => weekday.format(new Date(date)))).toEqual(names)
      expect(week.some((date) => date.startsWith(month))).toBe(true)
    }
  }
})

test("steps over a year's end", () => {
  expect(monthAfter('2026-12', 1)).toBe('2027-01')
  expect(monthAfter('2027-01', -1)).toBe('2026-12')
})
