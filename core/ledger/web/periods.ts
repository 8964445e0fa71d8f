import dayjs from 'dayjs'

/** First and last day (YYYY-MM-DD), inclusive; null if that side is open. */
export interface Period {
  readonly from: string | null
  readonly to: string | null
}

export const ALWAYS: Period = { from: null, to: null }

export interface NamedPeriod extends Period {
  readonly name: string
}

export function periodsAt(today: string): NamedPeriod[] {
  const day = dayjs(today)
  const year = day.month() >= 3 ? day.year() : day.year() - 1
  const monthOf = (at: dayjs.Dayjs) => ({ from: iso(at.startOf('month')), to: iso(at.endOf('month')) })
  const yearFrom = (first: number) => ({
    name: `Financial year ${first}–${String(first + 1).slice(2)}`,
    from: `${first}-04-01`,
    to: `${first + 1}-03-31`,
  })
  return [
    { name: 'This month', ...monthOf(day) },
    { name: 'Last month', ...monthOf(day.subtract(1, 'month')) },
    yearFrom(year),
    yearFrom(year - 1),
  ]
}

const iso = (at: dayjs.Dayjs) => at.format('YYYY-MM-DD')
