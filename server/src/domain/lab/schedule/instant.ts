import { Temporal } from 'temporal-polyfill'

/**
 * The instant meant by a date (YYYY-MM-DD) and a time (HH:mm) in a time zone: the first at which the clocks there
 * show that time or a later one. So a time that the clocks skip is the moment they are put forward, and of a time
 * that they show twice it is the first. See docs/decisions/010-local-times.md.
 */
export function instantOf(date: string, time: string, timeZone: string): Date {
  const local = Temporal.PlainDateTime.from(`${date}T${time}`)
  // Of a time that is shown twice the earlier; of one that is skipped an instant before the clocks change.
  const at = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
  const isShown = at.toPlainDateTime().equals(local)
  const instant = isShown ? at : (at.getTimeZoneTransition('next') ?? at)
  return new Date(instant.epochMilliseconds)
}
