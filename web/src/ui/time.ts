import { dayjs } from './dayjs.ts'

/** Writes an RFC 3339 instant as the clocks of a zone show it: 14:05:09, 20 Nov 2026. */
export const formatInstant = (instant: string, timeZone: string): string =>
  dayjs(instant).tz(timeZone).format('HH:mm:ss, DD MMM YYYY')

/** Writes a day (YYYY-MM-DD) as a short label: 20 Nov. */
export const formatDay = (date: string): string => dayjs.utc(date).format('D MMM')

/** Writes a day (YYYY-MM-DD) as the schedules show it: 20/11/2026. */
export const formatDate = (date: string): string => date.split('-').toReversed().join('/')

/** Writes the time of day in a zone: 09:30. */
export const timeOfDay = (instant: Date, timeZone: string): string => dayjs(instant).tz(timeZone).format('HH:mm')

/** Returns the day (YYYY-MM-DD) in a zone. */
export const today = (instant: Date, timeZone: string): string => dayjs(instant).tz(timeZone).format('YYYY-MM-DD')

/** Writes seconds as hours, minutes and seconds: 26:05:09. */
export function formatSeconds(seconds: number): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
