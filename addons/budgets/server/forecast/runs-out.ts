/**
 * Returns when the budget runs out; null if it lasts longer than the forecast.
 * @param left remaining budget in paise
 * @param hours forecast in paise per hour, beginning with the rest of the hour of `now`
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
