import { Temporal } from 'temporal-polyfill'

/** A skipped time is the instant of the clock change. See docs/decisions/010-local-times.md. */
export function instantOf(date: string, time: string, timeZone: string): Date {
  const local = Temporal.PlainDateTime.from(`${date}T${time}`)
  // 'earlier' returns the first occurrence of a repeated time, and an instant before the change for a skipped time.
  const at = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
  const isShown = at.toPlainDateTime().equals(local)
  const instant = isShown ? at : (at.getTimeZoneTransition('next') ?? at)
  return new Date(instant.epochMilliseconds)
}
