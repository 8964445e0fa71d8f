import { Temporal } from 'temporal-polyfill'

/**
 * Returns the instant of a date (YYYY-MM-DD) and time (HH:mm) in a time zone: the first instant at which clocks there
 * show that time or a later one. A time skipped by a clock change is the instant of that change, and a repeated time is
 * its first occurrence. See docs/decisions/010-local-times.md.
 */
export function instantOf(date: string, time: string, timeZone: string): Date {
  const local = Temporal.PlainDateTime.from(`${date}T${time}`)
  // 'earlier' returns the first occurrence of a repeated time, and an instant before the change for a skipped time.
  const at = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
  const isShown = at.toPlainDateTime().equals(local)
  const instant = isShown ? at : (at.getTimeZoneTransition('next') ?? at)
  return new Date(instant.epochMilliseconds)
}
