/** A window of the day as HH:mm; one whose start is after its stop includes midnight. */
export interface Daily {
  readonly start: string
  readonly stop: string
}

const MINUTES = 24 * 60
const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** Returns true where a time of day (HH:mm) is in the window, which has its start and not its stop. */
export const isIn = ({ start, stop }: Daily, time: string): boolean =>
  start < stop ? time >= start && time < stop : time >= start || time < stop

/** Returns the window's parts of the line from midnight to midnight, from 0 to 1. */
export function partsOf({ start, stop }: Daily): readonly { from: number; to: number }[] {
  const [from, to] = [placeOf(start), placeOf(stop)]
  if (from < to) return [{ from, to }]
  return [
    { from: 0, to },
    { from, to: 1 },
  ].filter((part) => part.from < part.to)
}

export const placeOf = (time: string): number => minuteOf(time) / MINUTES

/** Returns the time until the window next opens or closes: '2 h 5 min'. */
export function untilNext(window: Daily, time: string): string {
  const next = minuteOf(isIn(window, time) ? window.stop : window.start)
  const minutes = (next - minuteOf(time) + MINUTES) % MINUTES
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ')
}
