import dayjs from 'dayjs'
import timezone from 'dayjs/plugin/timezone.js'
import utc from 'dayjs/plugin/utc.js'

dayjs.extend(utc)
dayjs.extend(timezone)

/** An RFC 3339 instant as it reads on a clock in a zone: 14:05:09, 20 Nov 2026. */
export const formatInstant = (instant: string, timeZone: string): string =>
  dayjs(instant).tz(timeZone).format('HH:mm:ss, DD MMM YYYY')

/** A day (YYYY-MM-DD) as a short label: 20 Nov. */
export const formatDay = (date: string): string => dayjs.utc(date).format('D MMM')
