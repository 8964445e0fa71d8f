import { costBetween, costOfDay, DAY, isWeekend, type TrainingHistory } from './history.ts'

/** Weeks back that the same weekday is looked at. */
const WEEKS = 3
/** Days that stand for a weekday of which there is none yet: a course in its first week. */
const LIKE_DAYS = 5
/** Days that should have cost something and did not, after which a training is taken to be over. */
const MISSED = 3

/** The usual of a training by weekday and hour, from its latest weeks. */
export interface Usual {
  /** Returns paise for an hour that is yet to come. */
  at(hour: number): number
}

const NOTHING: Usual = { at: () => 0 }

/** @param today the day that is not over yet: it says nothing of a whole day */
export function usualOf(history: TrainingHistory, today: number): Usual {
  const first = firstDay(history)
  if (first === null || isOver(history, first, today)) return NOTHING
  const days = new Map<number, readonly number[]>()
  return {
    at(hour) {
      const day = Math.floor(hour / DAY)
      const like = days.get(day) ?? daysLike(history, { day, first, today })
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

/** Returns the days that a coming one is expected to be like: the same weekday, or else days of its half of the week. */
function daysLike(
  history: TrainingHistory,
  { day, first, today }: { readonly day: number; readonly first: number; readonly today: number },
): readonly number[] {
  const sameWeekday: number[] = []
  for (let past = day - 7; past >= first && sameWeekday.length < WEEKS; past -= 7) {
    if (past < today) sameWeekday.push(past)
  }
  if (sameWeekday.length > 0) return sameWeekday
  const likeIt: number[] = []
  for (let past = today - 1; past >= first && likeIt.length < LIKE_DAYS; past--) {
    if (isWeekend(past) === isWeekend(day) && costOfDay(history, past) > 0) likeIt.push(past)
  }
  return likeIt
}

/** Returns true when the latest days on which it usually ran have all passed without it. */
function isOver(history: TrainingHistory, first: number, today: number): boolean {
  let missed = 0
  for (let day = today - 1; day >= first; day--) {
    if (costOfDay(history, day) > 0) return false
    const before = [7, 14, 21].filter((back) => costOfDay(history, day - back) > 0)
    if (before.length > 0) missed++
    if (missed >= MISSED || today - day > 14) return true
  }
  return true
}
