import dayjs from 'dayjs'
import { formatDay } from '@trainyard/platform/web/ui/time.ts'
import type { Statement } from './statement.ts'

const MAX_POINTS = 120

/** Returns the balance over time. Steps are equal numbers of whole days, so that the chart's axis is linear in time. */
export function balanceSeries({ lines, opening }: Statement, until: string): { at: string; value: number }[] {
  const [first] = lines
  if (first === undefined) return []
  const end = [until, lines.at(-1)!.date].toSorted().at(-1)!
  const days = dayjs(end).diff(first.date, 'day')
  const step = Math.max(1, Math.ceil(days / MAX_POINTS))
  const places = [
    ...new Set([...Array.from({ length: Math.floor(days / step) + 1 }, (_, index) => index * step), days]),
  ]
  let next = 0
  let owed = opening
  return places.map((place) => {
    const date = dayjs(first.date).add(place, 'day').format('YYYY-MM-DD')
    for (; next < lines.length && lines[next]!.date <= date; next += 1) owed = lines[next]!.balance
    return { at: formatDay(date), value: owed }
  })
}
