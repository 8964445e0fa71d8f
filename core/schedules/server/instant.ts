import { Temporal } from 'temporal-polyfill'

/**
 * Returns the instant of a local date and time. If a clock change skips this time, returns the instant of the clock
 * change. See docs/decisions/05-local-times.md.
 */
export function instantOf(date: string, time: string, timeZone: string): Date {
  const local = Temporal.PlainDateTime.from(`${date}T${time}`)
  // 'earlier' selects the first occurrence of a time that occurs twice. For a skipped time, it selects an instant
  // before the clock change.
  const at = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
  const isShown = at.toPlainDateTime().equals(local)
  const instant = isShown ? at : (at.getTimeZoneTransition('next') ?? at)
  return new Date(instant.epochMilliseconds)
}
