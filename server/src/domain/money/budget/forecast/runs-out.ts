/**
 * Returns the hour at which a budget is used up, with the part of it that is over by then; null: not within these hours.
 * @param left paise of the budget
 * @param hours paise, the one that `now` is in first, with what is left of it
 */
export function runsOutAt(left: number, hours: ArrayLike<number>, now: number): number | null {
  if (left <= 0) return now
  for (let ahead = 0; ahead < hours.length; ahead++) {
    const cost = hours[ahead]!
    if (cost >= left) {
      const from = ahead === 0 ? now : Math.floor(now) + ahead
      return from + (left / cost) * (Math.floor(now) + ahead + 1 - from)
    }
    left -= cost
  }
  return null
}
