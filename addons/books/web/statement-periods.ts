import dayjs from 'dayjs'
import { formatMonth } from '@trainyard/ledger/contract/tax-document.ts'

const MONTHS = 24
const YEARS = 4

export function statementPeriods(today: string): { readonly period: string; readonly name: string }[] {
  const day = dayjs(today)
  const months = Array.from({ length: MONTHS }, (_, back) => {
    const period = day.startOf('month').subtract(back, 'month').format('YYYY-MM')
    return { period, name: formatMonth(period) }
  })
  const first = day.month() >= 3 ? day.year() : day.year() - 1
  const years = Array.from({ length: YEARS }, (_, back) => {
    const [from, to] = [first - back, String(first - back + 1).slice(2)]
    return { period: `${String(from).slice(2)}-${to}`, name: `Financial year ${from}–${to}` }
  })
  return [...months, ...years]
}
