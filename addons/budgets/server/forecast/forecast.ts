import { DAY, type TrainingHistory } from './history.ts'
import { plannedPart } from './planned.ts'
import { typicalCosts } from './typical-costs.ts'

const HALF_OFF_HOURS = 3

/**
 * Returns the forecast in paise per hour, beginning with the rest of the current hour.
 * @param now local hour including its elapsed fraction
 */
export function forecastHours(history: TrainingHistory, now: number, count: number): Float64Array {
  const first = Math.floor(now)
  const typical = typicalCosts(history, Math.floor(now / DAY))
  const plans = history.plans.toSorted((a, b) => a.at - b.at)
  const last = plans.findLast(({ at }) => at > now)
  const plannedUntil = last === undefined ? 0 : Math.ceil(last.at / DAY) * DAY
  const stop = plans.find(({ at, action }) => at > now && action === 'Stop')?.at ?? Number.POSITIVE_INFINITY
  const beyond = Math.max(0, history.running - typical.at(first))
  return Float64Array.from({ length: count }, (_, ahead) => {
    const hour = first + ahead
    const left = Math.min(1, hour + 1 - now)
    const lasting = hour < stop ? beyond * 2 ** (-ahead / HALF_OFF_HOURS) : 0
    const expected =
      hour < plannedUntil
        ? history.capacity * plannedPart(plans, hour)
        : Math.min(history.capacity, typical.at(hour) + lasting)
    return expected * left
  })
}

export function sumHours(hours: readonly Float64Array[], count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, at) => hours.reduce((sum, each) => sum + each[at]!, 0))
}
