import { dayjs } from '@trainyard/platform/web/ui/dayjs.ts'
import { today } from '@trainyard/platform/web/ui/time.ts'

/** A run with RFC 3339 instants; `stop` is null while in progress. */
export interface StripRun {
  readonly start: string
  readonly stop: string | null
}

export interface StripDay {
  readonly label: string
  /** Run times as fractions of the day, 0 to 1. */
  readonly blocks: readonly { readonly from: number; readonly to: number; readonly running: boolean }[]
}

/** Returns the last days of a time zone, newest first, each with the machine's runs. A day can have 23 or 25 hours. */
export function stripOf(runs: readonly StripRun[], now: string, timeZone: string, days: number): StripDay[] {
  const spans = runs.map(({ start, stop }) => ({
    from: dayjs(start).valueOf(),
    to: dayjs(stop ?? now).valueOf(),
    running: stop === null,
  }))
  const last = dayjs.utc(today(new Date(now), timeZone))
  return Array.from({ length: days }, (_, back) => {
    const date = last.subtract(back, 'day')
    const begins = dayjs.tz(date.format('YYYY-MM-DD'), timeZone).valueOf()
    const ends = dayjs.tz(date.add(1, 'day').format('YYYY-MM-DD'), timeZone).valueOf()
    const part = (instant: number) => Math.min(1, Math.max(0, (instant - begins) / (ends - begins)))
    const blocks = spans
      .filter(({ from, to }) => from < ends && to > begins)
      .map(({ from, to, running }) => ({ from: part(from), to: part(to), running: running && to <= ends }))
      .sort((a, b) => a.from - b.from)
    // Machines that ran all day have the same block.
    const distinct = new Map(blocks.map((block) => [JSON.stringify(block), block]))
    return { label: date.format('DD MMM YYYY'), blocks: [...distinct.values()] }
  })
}
