import { DAY, type TrainingHistory } from './history.ts'
import { plannedPart } from './planned.ts'
import { usualOf } from './usual.ts'

/** Hours after which half of the machines that run beyond the usual are taken to be off. */
const HALF_OFF_HOURS = 3

/**
 * Returns the paise that each of the coming hours is expected to cost, the one that is on now first and with what is
 * left of it alone. On days that schedules are planned for, these say what runs; on others what was usual does, and
 * what runs now beyond that goes on for a while.
 * @param now a local hour, with the part of it that is over
 */
export function forecastHours(history: TrainingHistory, now: number, count: number): Float64Array {
  const first = Math.floor(now)
  const usual = usualOf(history, Math.floor(now / DAY))
  const plans = history.plans.toSorted((a, b) => a.at - b.at)
  const last = plans.findLast(({ at }) => at > now)
  const plannedUntil = last === undefined ? 0 : Math.ceil(last.at / DAY) * DAY
  const stop = plans.find(({ at, action }) => at > now && action === 'Stop')?.at ?? Number.POSITIVE_INFINITY
  const beyond = Math.max(0, history.running - usual.at(first))
  return Float64Array.from({ length: count }, (_, ahead) => {
    const hour = first + ahead
    const left = Math.min(1, hour + 1 - now)
    const lasting = hour < stop ? beyond * 2 ** (-ahead / HALF_OFF_HOURS) : 0
    const expected =
      hour < plannedUntil
        ? history.capacity * plannedPart(plans, hour)
        : Math.min(history.capacity, usual.at(hour) + lasting)
    return expected * left
  })
}

/** Returns the sum of several trainings' hours. */
export function addUp(hours: readonly Float64Array[], count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, at) => hours.reduce((sum, each) => sum + each[at]!, 0))
}
