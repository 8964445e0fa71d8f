import { NEEDED_AGAIN_MINUTES, WASTE_MINUTES } from '../../contract/waste-words.ts'

/** Period of activity. Instants are milliseconds since 1970. */
export interface ActivityPeriod {
  readonly machine: string
  readonly began: number
  readonly ended: number
  readonly idle: boolean
  readonly paisePerHour: number
}

export type Run = Pick<ActivityPeriod, 'machine' | 'began' | 'ended'>

/** `weekday` is 1 (Monday) to 7 (Sunday); `at` returns the instant of a local time on that day. */
export interface Day {
  readonly weekday: number
  at(time: string): number
}

export interface Proposal {
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

/** Proposes a shutdown. Excludes weekdays on which a machine was in use, unmeasured, or used again within two hours. */
export function propose(
  periods: readonly ActivityPeriod[],
  runs: readonly Run[],
  days: readonly Day[],
): Proposal | null {
  const idle = periods.filter((one) => one.idle && one.ended - one.began >= WASTE_MINUTES * MINUTE)
  const busy = periods.filter((one) => !one.idle)
  const usedAgain = new Set(busy.map(({ machine, began }) => `${machine} ${began}`))
  let best: Proposal | null = null
  for (const time of TIMES) {
    const instants = days.map((day) => ({ weekday: day.weekday, at: day.at(time) }))
    const unsafe = new Set<number>()
    for (const { weekday, at } of instants) {
      if (unsafe.has(weekday)) continue
      const covers = ({ began, ended }: Run) => began <= at && at < ended
      const soon = ({ machine, ended }: ActivityPeriod) =>
        ended - at < NEEDED_AGAIN_MINUTES * MINUTE && usedAgain.has(`${machine} ${ended}`)
      const known = new Set(periods.filter(covers).map(({ machine }) => machine))
      const isMissed =
        busy.some(covers) ||
        periods.some((one) => one.idle && covers(one) && soon(one)) ||
        runs.some((run) => covers(run) && !known.has(run.machine))
      if (isMissed) unsafe.add(weekday)
    }
    const safe = [...new Set(instants.map(({ weekday }) => weekday))].filter((weekday) => !unsafe.has(weekday))
    const weekdays = withoutIdleDays(idle, instants, safe)
    const saved = savedBy(idle, instants, weekdays)
    // If two times save the same, the later one affects fewer users.
    if (saved.paise > 0 && saved.paise >= (best?.paise ?? 0)) best = { time, weekdays, ...saved }
  }
  return best
}

type Instants = readonly { readonly weekday: number; readonly at: number }[]

function withoutIdleDays(idle: readonly ActivityPeriod[], instants: Instants, safe: readonly number[]): number[] {
  const most = savedBy(idle, instants, safe).paise
  return safe
    .toSorted((a, b) => a - b)
    .reduceRight<number[]>(
      (remaining, weekday) => {
        const without = remaining.filter((one) => one !== weekday)
        return savedBy(idle, instants, without).paise === most ? without : remaining
      },
      safe.toSorted((a, b) => a - b),
    )
}

function savedBy(idle: readonly ActivityPeriod[], instants: Instants, weekdays: readonly number[]) {
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
