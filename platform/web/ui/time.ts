import { dayjs } from './dayjs.ts'

/** Formats an RFC 3339 instant in a time zone, such as 14:05:09, 20 Nov 2026. */
export const formatInstant = (instant: string, timeZone: string): string =>
  dayjs(instant).tz(timeZone).format('HH:mm:ss, DD MMM YYYY')

/** Formats a day (YYYY-MM-DD) as a short label: 20 Nov. */
export const formatDay = (date: string): string => dayjs.utc(date).format('D MMM')

/** Formats a day (YYYY-MM-DD) as DD/MM/YYYY: 20/11/2026. */
export const formatDate = (date: string): string => date.split('-').toReversed().join('/')

export const momentWords = ({ date, time }: { readonly date: string; readonly time: string }): string =>
  `${time} on ${formatDate(date)}`

/** Formats the time of day in a time zone: 09:30. */
export const timeOfDay = (instant: Date, timeZone: string): string => dayjs(instant).tz(timeZone).format('HH:mm')

/** Formats the date of an instant in a time zone: 2026-11-20. */
export const today = (instant: Date, timeZone: string): string => dayjs(instant).tz(timeZone).format('YYYY-MM-DD')

/** Formats seconds as hours, minutes and seconds: 26:05:09. */
export function formatSeconds(seconds: number): string {
  const twoDigits = (part: number) => String(part).padStart(2, '0')
  return `${Math.floor(seconds / 3600)}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`
}
