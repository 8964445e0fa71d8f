import { dayjs } from '#src/ui/dayjs.ts'

/** A month of this century as an address has it: 2026-12. */
const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/

/** Returns true for the text of a month that the calendar can show. */
export const isMonth = (text: string | undefined): text is string => text !== undefined && MONTH.test(text)

/** Returns the month so many months later, or with a negative count earlier. */
export const monthAfter = (month: string, count: number): string =>
  dayjs.utc(`${month}-01`).add(count, 'month').format('YYYY-MM')

/** Writes a month: December 2026. */
export const monthSaid = (month: string): string => dayjs.utc(`${month}-01`).format('MMMM YYYY')

/** Returns a month's weeks from Monday to Sunday, each day as YYYY-MM-DD; the first and last have days of the months beside it. */
export function weeksOf(month: string): readonly (readonly string[])[] {
  const first = dayjs.utc(`${month}-01`)
  const before = (first.day() + 6) % 7
  const weeks = Math.ceil((before + first.daysInMonth()) / 7)
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_day, day) => first.add(week * 7 + day - before, 'day').format('YYYY-MM-DD')),
  )
}
