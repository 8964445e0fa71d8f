/**
 * Returns the hour, including its elapsed fraction, at which a budget is used up, or null if it lasts beyond the given
 * hours.
 * @param left remaining paise of the budget
 * @param hours cost in paise, starting with the rest of the hour of `now`
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
