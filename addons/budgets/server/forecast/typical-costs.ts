import { costBetween, costOfDay, DAY, isWeekend, type TrainingHistory } from './history.ts'

const WEEKS = 3
/** Number of similar days that are used for a weekday without history, for example in the first week of a course. */
const SIMILAR_DAYS = 5
const MISSED_DAYS = 3

export interface TypicalCosts {
  at(hour: number): number
}

const NO_COSTS: TypicalCosts = { at: () => 0 }

/** @param today current day, which is not used because it is incomplete */
export function typicalCosts(history: TrainingHistory, today: number): TypicalCosts {
  const first = firstDay(history)
  if (first === null || hasEnded(history, first, today)) return NO_COSTS
  const days = new Map<number, readonly number[]>()
  return {
    at(hour) {
      const day = Math.floor(hour / DAY)
      const like = days.get(day) ?? similarDays(history, { day, first, today })
      days.set(day, like)
      if (like.length === 0) return 0
      const hours = like.map((past) => past * DAY + hour - day * DAY)
      return hours.reduce((sum, past) => sum + costBetween(history, past, past + 1), 0) / like.length
    },
  }
}

function firstDay({ begins, hours }: TrainingHistory): number | null {
  const at = Array.from(hours).findIndex((paise) => paise > 0)
  return at === -1 ? null : Math.floor((begins + at) / DAY)
}

/**
 * Returns days with the same weekday. If there are none, returns days of the same kind (working days or weekend days).
 */
function similarDays(
  history: TrainingHistory,
  { day, first, today }: { readonly day: number; readonly first: number; readonly today: number },
): readonly number[] {
  const sameWeekday: number[] = []
  for (let past = day - 7; past >= first && sameWeekday.length < WEEKS; past -= 7) {
    if (past < today) sameWeekday.push(past)
  }
  if (sameWeekday.length > 0) return sameWeekday
  const similar: number[] = []
  for (let past = today - 1; past >= first && similar.length < SIMILAR_DAYS; past--) {
    if (isWeekend(past) === isWeekend(day) && costOfDay(history, past) > 0) similar.push(past)
  }
  return similar
}

function hasEnded(history: TrainingHistory, first: number, today: number): boolean {
  let missed = 0
  for (let day = today - 1; day >= first; day--) {
    if (costOfDay(history, day) > 0) return false
    const before = [7, 14, 21].filter((back) => costOfDay(history, day - back) > 0)
    if (before.length > 0) missed++
    if (missed >= MISSED_DAYS || today - day > 14) return true
  }
  return true
}
