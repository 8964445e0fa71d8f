import { Temporal } from 'temporal-polyfill'

/**
 * Returns the instant of a local date and time. For a time that clocks skip, it is the instant of the clock change. See
 * docs/decisions/010-local-times.md.
 */
export function instantOf(date: string, time: string, timeZone: string): Date {
  const local = Temporal.PlainDateTime.from(`${date}T${time}`)
  // 'earlier' selects the first occurrence of a time that occurs twice, and an instant before the change for a time
  // that clocks skip.
  const at = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
  const isShown = at.toPlainDateTime().equals(local)
  const instant = isShown ? at : (at.getTimeZoneTransition('next') ?? at)
  return new Date(instant.epochMilliseconds)
}
