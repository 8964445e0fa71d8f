import { dayjs } from '@trainyard/platform/web/ui/dayjs.ts'

export const monthAfter = (month: string, count: number): string =>
  dayjs.utc(`${month}-01`).add(count, 'month').format('YYYY-MM')

export const formatMonth = (month: string): string => dayjs.utc(`${month}-01`).format('MMMM YYYY')

/** Returns the weeks of a month. They start on Monday and are whole, so they include days of the adjacent months. */
export function weeksOf(month: string): readonly (readonly string[])[] {
  const first = dayjs.utc(`${month}-01`)
  const before = (first.day() + 6) % 7
  const weeks = Math.ceil((before + first.daysInMonth()) / 7)
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_day, day) => first.add(week * 7 + day - before, 'day').format('YYYY-MM-DD')),
  )
}
