import { UNMISSED_MINUTES, WASTE_MINUTES } from '@trainyard/contract/words/waste.ts'

/** A stretch of a machine's run that was measured: milliseconds since 1970. */
export interface Stretch {
  readonly machine: string
  readonly began: number
  readonly ended: number
  readonly idle: boolean
  readonly paisePerHour: number
}

/** A run, or the part of it that is looked at. */
export type Run = Pick<Stretch, 'machine' | 'began' | 'ended'>

/** A day that is looked at: its weekday, Monday 1 to Sunday 7, and the instant of a time of it. */
export interface Day {
  readonly weekday: number
  at(time: string): number
}

export interface Proposal {
  /** HH:mm */
  readonly time: string
  readonly weekdays: readonly number[]
  readonly paise: number
  readonly seconds: number
  readonly stops: number
}

const MINUTE = 60_000
const TIMES = Array.from({ length: 96 }, (_, quarter) => {
  return `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`
})

/**
 * Returns the weekly shut down that would have saved the most. A machine that it shuts down stays off until it was used
 * next, or its run ended: that much is saved, and no more. A weekday is no part of it where a shut down at that time
 * would ever have met a machine that was in use, that nobody knows of, or that was used again within two hours.
 */
export function propose(stretches: readonly Stretch[], runs: readonly Run[], days: readonly Day[]): Proposal | null {
  const idle = stretches.filter((one) => one.idle && one.ended - one.began >= WASTE_MINUTES * MINUTE)
  const busy = stretches.filter((one) => !one.idle)
  const usedAgain = new Set(busy.map(({ machine, began }) => `${machine} ${began}`))
  let best: Proposal | null = null
  for (const time of TIMES) {
    const instants = days.map((day) => ({ weekday: day.weekday, at: day.at(time) }))
    const unsafe = new Set<number>()
    for (const { weekday, at } of instants) {
      if (unsafe.has(weekday)) continue
      const covers = ({ began, ended }: Run) => began <= at && at < ended
      const soon = ({ machine, ended }: Stretch) =>
        ended - at < UNMISSED_MINUTES * MINUTE && usedAgain.has(`${machine} ${ended}`)
      const known = new Set(stretches.filter(covers).map(({ machine }) => machine))
      const isMissed =
        busy.some(covers) ||
        stretches.some((one) => one.idle && covers(one) && soon(one)) ||
        runs.some((run) => covers(run) && !known.has(run.machine))
      if (isMissed) unsafe.add(weekday)
    }
    const safe = [...new Set(instants.map(({ weekday }) => weekday))].filter((weekday) => !unsafe.has(weekday))
    const weekdays = withoutIdleDays(idle, instants, safe)
    const saved = savedBy(idle, instants, weekdays)
    // Of two that save the same the later is missed by fewer.
    if (saved.paise > 0 && saved.paise >= (best?.paise ?? 0)) best = { time, weekdays, ...saved }
  }
  return best
}

type Instants = readonly { readonly weekday: number; readonly at: number }[]

/** Leaves out the weekdays that save nothing beside the others. */
function withoutIdleDays(idle: readonly Stretch[], instants: Instants, safe: readonly number[]): number[] {
  const most = savedBy(idle, instants, safe).paise
  return safe
    .toSorted((a, b) => a - b)
    .reduceRight<number[]>(
      (kept, weekday) => {
        const without = kept.filter((one) => one !== weekday)
        return savedBy(idle, instants, without).paise === most ? without : kept
      },
      safe.toSorted((a, b) => a - b),
    )
}

function savedBy(idle: readonly Stretch[], instants: Instants, weekdays: readonly number[]) {
  const stops = instants.filter(({ weekday }) => weekdays.includes(weekday)).map(({ at }) => at)
  const saved = { paise: 0, seconds: 0, stops: 0 }
  for (const { began, ended, paisePerHour } of idle) {
    const at = stops.find((stop) => stop >= began && stop < ended)
    if (at === undefined) continue
    saved.paise += ((ended - at) / 3_600_000) * paisePerHour
    saved.seconds += (ended - at) / 1_000
    saved.stops += 1
  }
  return saved
}
