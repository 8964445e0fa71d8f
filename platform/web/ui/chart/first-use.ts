const LEAST = 7

export function sinceFirstUse<Day>(days: readonly Day[] | undefined, isUsed: (day: Day) => boolean) {
  if (days === undefined) return undefined
  const first = days.findIndex(isUsed)
  return days.slice(Math.max(0, Math.min(first === -1 ? days.length : first, days.length - LEAST)))
}
