/**
 * Synthetic hourly costs of customers for a year, generated from a seed. The generator imitates how training companies
 * work. It was committed before the forecast and is not tuned to the forecast. One later change made the test harder:
 * schedules of a cancelled course now exist until the cancellation.
 *
 * Hours are local and counted from midnight of 2025-01-01, a Wednesday.
 */

export const YEAR_BEGINS = '2025-01-01'
export const DAYS = 365
const HOURS = DAYS * 24

export interface GeneratedTraining {
  /** Paise per hour */
  readonly hours: Float64Array
  /** Paise per hour, at the start of each hour */
  readonly running: Float64Array
  readonly plans: readonly GeneratedPlan[]
  readonly capacity: number
  readonly firstHour: number
  readonly lastHour: number
}

export interface GeneratedPlan {
  readonly plannedAt: number
  readonly at: number
  readonly action: 'Start' | 'Stop'
  /** Instant of the cancellation. Before this instant, the forecast does not know that the course will be cancelled. */
  readonly cancelledAt: number
}

const HOLIDAYS = `01-14 01-26 03-14 03-31 04-10 04-18 05-01 05-12 06-07 08-15 08-27 10-02 10-20 10-21 10-22 11-05 12-25`
  .split(' ')
  .map((day) => Math.round((Date.parse(`2025-${day}`) - Date.parse(YEAR_BEGINS)) / 86_400_000))

type Random = () => number

/** The generator mulberry32. */
function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const between = (random: Random, least: number, most: number): number => least + random() * (most - least)
const whole = (random: Random, least: number, most: number): number => Math.floor(between(random, least, most + 1))
const oneOf = <T>(random: Random, all: readonly T[]): T => all[whole(random, 0, all.length - 1)]!
const bell = (random: Random): number => random() + random() + random() + random() + random() + random() - 3

const weekdayOf = (day: number): number => (day + 2) % 7

type Kind = 'day' | 'evening' | 'weekend' | 'self-paced' | 'always on'
const KINDS: readonly Kind[] = ['day', 'day', 'day', 'day', 'evening', 'evening', 'weekend', 'self-paced', 'always on']

export function generateCustomer(seed: number): readonly GeneratedTraining[] {
  const random = randomOf(seed * 7_919 + 17)
  const closed = new Set([...HOLIDAYS, whole(random, 0, DAYS - 1), whole(random, 0, DAYS - 1)])
  // Some companies close at the end of the year, or for a week in summer.
  if (random() < 0.3) for (let day = 358; day < DAYS; day++) closed.add(day)
  if (random() < 0.2) for (let day = 130; day < 137; day++) closed.add(day)
  const trainings: GeneratedTraining[] = []
  for (let row = 0, rows = whole(random, 1, 6); row < rows; row++) {
    let day = whole(random, 0, 60)
    while (day < DAYS) {
      const kind = oneOf(random, KINDS)
      const length = kind === 'always on' ? whole(random, 21, 120) : whole(random, 1, 14) * 7 - whole(random, 0, 3)
      trainings.push(generateTraining(random, { kind, day, length, closed }))
      day += length + (random() < 0.6 ? whole(random, 0, 5) : whole(random, 7, 45))
    }
  }
  return trainings
}

interface Course {
  readonly kind: Kind
  readonly day: number
  readonly length: number
  readonly closed: ReadonlySet<number>
}

function generateTraining(random: Random, { kind, day, length, closed }: Course): GeneratedTraining {
  const machines = kind === 'always on' ? whole(random, 2, 8) : whole(random, 6, 40)
  const price = whole(random, 15, 120) * 100
  const hours = new Float64Array(HOURS)
  const running = new Float64Array(HOURS)
  const plans: GeneratedPlan[] = []
  const end = Math.min(DAYS, day + length)
  const cancelledFrom = random() < 0.08 ? day + whole(random, 0, Math.floor(length / 2)) : end
  const begins = kind === 'evening' ? oneOf(random, [17, 18, 18.5, 19]) : oneOf(random, [8.5, 9, 9.5, 10])
  const lasts = kind === 'evening' ? between(random, 2, 3.5) : between(random, 5, 9)
  // Some customers schedule the whole course, some schedule the next week each Friday, and some start machines
  // manually.
  const planning =
    kind === 'day' || kind === 'evening' ? oneOf(random, ['by hand', 'by hand', 'course', 'week']) : 'by hand'
  const days =
    kind === 'weekend'
      ? [5, 6]
      : oneOf(random, [
          [0, 1, 2, 3, 4],
          [0, 1, 2, 3, 4],
          [0, 1, 2, 3, 4, 5],
          [0, 2, 4],
        ])
  const forgets = between(random, 0, 0.2)
  const drop = between(random, 0, 0.35)

  const addRun = (from: number, to: number) => {
    const stop = Math.min(to, HOURS)
    for (let hour = Math.max(0, Math.floor(from)); hour < stop; hour++) {
      hours[hour]! += price * Math.max(0, Math.min(hour + 1, stop) - Math.max(hour, from))
      if (from <= hour) running[hour]! += price
    }
  }
  for (let today = day; today < end; today++) {
    const isCancelled = today >= cancelledFrom
    if (isCancelled && planning === 'by hand') break
    const here = Math.round(machines * (1 - (drop * (today - day)) / Math.max(1, length)))
    const midnight = today * 24
    if (kind === 'always on') {
      // A few machines are rebuilt occasionally and are off for hours.
      for (let i = 0; i < machines; i++) addRun(midnight, midnight + (random() < 0.03 ? between(random, 6, 18) : 24))
      continue
    }
    if (kind === 'self-paced') {
      const keen = [0.35, 0.35, 0.35, 0.35, 0.3, 0.5, 0.45][weekdayOf(today)]!
      for (let i = 0; i < here; i++) {
        if (random() > keen) continue
        const start = midnight + 14 + bell(random) * 4
        addRun(start, start + between(random, 0.5, 5))
      }
      continue
    }
    if (!days.includes(weekdayOf(today)) || closed.has(today)) continue
    const start = midnight + begins
    const stop = start + lasts + bell(random) * 0.3
    if (planning !== 'by hand') {
      const plannedAt = planning === 'course' ? day * 24 : Math.max(day * 24, (today - weekdayOf(today) - 3) * 24 + 15)
      if (plannedAt >= cancelledFrom * 24) break
      const cancelledAt = isCancelled ? cancelledFrom * 24 : Number.POSITIVE_INFINITY
      plans.push(
        { plannedAt, at: start, action: 'Start', cancelledAt },
        { plannedAt, at: midnight + begins + lasts, action: 'Stop', cancelledAt },
      )
      if (isCancelled) continue
      for (let i = 0; i < machines; i++) {
        const early = random() < 0.08 ? between(random, 1, 3) : 0
        addRun(start, midnight + begins + lasts - early + (random() < 0.04 ? between(random, 0.5, 3) : 0))
      }
      continue
    }
    if (random() < 0.03) continue
    for (let i = 0; i < here; i++) {
      if (random() > 0.88) continue
      const late = Math.max(0, bell(random) * 0.3 + 0.2)
      addRun(start + late, random() < forgets ? stop + between(random, 2, 14) : stop + bell(random) * 0.25)
    }
  }
  return { hours, running, plans, capacity: machines * price, firstHour: day * 24, lastHour: end * 24 }
}
