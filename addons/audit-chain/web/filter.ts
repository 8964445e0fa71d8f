import { dayjs } from '@trainyard/platform/web/ui/dayjs.ts'

export interface Fields {
  readonly text?: string
  readonly person?: string
  readonly call?: string
  readonly from?: string
  readonly until?: string
}

export const FIELD_NAMES = ['text', 'person', 'call', 'from', 'until'] as const

const DAY = /^\d{4}-\d\d-\d\d$/

/** Returns the filter for the server. Both days are included, in the given time zone. */
export function filterOf(fields: Fields, timeZone: string): Fields {
  const start = (day: string, plus: number) =>
    dayjs.tz(dayjs.utc(day).add(plus, 'day').format('YYYY-MM-DD'), timeZone).toISOString()
  const { text, person, call, from, until } = fields
  return {
    ...(text?.trim() && { text: text.trim() }),
    ...(person?.trim() && { person: person.trim() }),
    ...(call && { call }),
    ...(from && DAY.test(from) && { from: start(from, 0) }),
    ...(until && DAY.test(until) && { until: start(until, 1) }),
  }
}
