const HOUR = 3_600_000
const DAY = 24 * HOUR

/**
 * The instant meant by a date (YYYY-MM-DD) and a time (HH:mm) in a time zone: the first at which the clocks there
 * show that time or a later one. So a time that the clocks skip is the moment they are put forward, and of a time
 * that they show twice it is the first. See docs/decisions/010-local-times.md.
 */
export function instantOf(date: string, time: string, timeZone: string): Date {
  const local = Date.parse(`${date}T${time}Z`)
  // What the clocks differ from UTC by a day before and a day after: between them lies one change, if any.
  const before = offsetAt(local - DAY, timeZone)
  const after = offsetAt(local + DAY, timeZone)
  for (const offset of before > after ? [before, after] : [after, before]) {
    if (offsetAt(local - offset, timeZone) === offset) return new Date(local - offset)
  }
  return new Date(changeBetween(local - DAY, local + DAY, before, timeZone))
}

/** The first instant at which the clocks differ from UTC by something else than `before`. */
function changeBetween(earliest: number, latest: number, before: number, timeZone: string): number {
  let [same, other] = [earliest, latest]
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2)
    if (offsetAt(middle, timeZone) === before) same = middle
    else other = middle
  }
  return other
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** Milliseconds that the clocks of a zone are ahead of UTC. */
function offsetAt(instant: number, timeZone: string): number {
  const clock = clocks.get(timeZone) ?? clockOf(timeZone)
  clocks.set(timeZone, clock)
  const shown = Object.fromEntries(clock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const { year, month, day, hour, minute, second } = shown as Record<string, number>
  const local = Date.UTC(year!, month! - 1, day, hour, minute, second)
  return local - Math.floor(instant / 1000) * 1000
}

const clockOf = (timeZone: string) =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
