import type { Plan } from './history.ts'

export function plannedPart(plans: readonly Plan[], hour: number): number {
  let on = plans.findLast(({ at }) => at <= hour)?.action === 'Start'
  let [since, part] = [hour, 0]
  for (const { at, action } of plans) {
    if (at <= hour || at >= hour + 1) continue
    if (on) part += at - since
    on = action === 'Start'
    since = at
  }
  return on ? part + hour + 1 - since : part
}
