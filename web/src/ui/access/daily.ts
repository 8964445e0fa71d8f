/** A window of the day as HH:mm; one whose start comes after its stop goes over midnight. */
export interface Daily {
  readonly start: string
  readonly stop: string
}

const MINUTES = 24 * 60
const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** Whether a time of day (HH:mm) lies in the window: the start does, the stop does not. */
export const isIn = ({ start, stop }: Daily, time: string): boolean =>
  start < stop ? time >= start && time < stop : time >= start || time < stop

/** Where the window lies on a line from midnight to midnight, as parts from 0 to 1. */
export function partsOf({ start, stop }: Daily): readonly { from: number; to: number }[] {
  const [from, to] = [placeOf(start), placeOf(stop)]
  if (from < to) return [{ from, to }]
  return [
    { from: 0, to },
    { from, to: 1 },
  ].filter((part) => part.from < part.to)
}

export const placeOf = (time: string): number => minuteOf(time) / MINUTES

/** How long until the window next opens or closes: '2 h 5 min'. */
export function untilNext(window: Daily, time: string): string {
  const next = minuteOf(isIn(window, time) ? window.stop : window.start)
  const minutes = (next - minuteOf(time) + MINUTES) % MINUTES
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ')
}
