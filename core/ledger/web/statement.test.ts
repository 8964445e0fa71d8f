import { describe, expect, it } from 'vitest'
import { balanceSeries } from './balance-series.ts'
import { ALWAYS, periodsAt } from './periods.ts'
import { linesOf, type Page, statementOf } from './statement.ts'

const entry = (date: string, id: string, invoice: number | null, payment: number | null) => ({
  date,
  particular: 'x',
  kind: invoice === null ? ('payment' as const) : ('invoice' as const),
  invoice,
  payment,
  id,
})
const legal = { name: 'Acme', gst: null, balance: 0.3, limit: 0 }
const newest: Page = {
  legal,
  opening: 0.3,
  transactions: [entry('2026-02-03', 'c', 0.1, null), entry('2026-02-05', 'd', null, 0.1)],
  earlier: 'mark',
}
const older: Page = {
  legal,
  opening: -0.5,
  transactions: [entry('2026-01-30', 'a', 0.7, null), entry('2026-02-01', 'b', 0.1, null)],
  earlier: null,
}

describe('account statement', () => {
  it('orders lines from the oldest page to the newest, with the balance after each, exact to the paisa', () => {
    const lines = linesOf([newest, older])
    expect(lines.map(({ id, balance, order }) => [id, balance, order])).toEqual([
      ['a', 0.2, 0],
      ['b', 0.3, 1],
      ['c', 0.4, 2],
      ['d', 0.3, 3],
    ])
    expect(linesOf([newest]).map(({ balance }) => balance)).toEqual([0.4, 0.3])
    expect(linesOf([])).toEqual([])
  })

  it('opens a period with the closing balance of the previous period', () => {
    const lines = linesOf([newest, older])
    expect(statementOf(lines, -0.5, ALWAYS)).toMatchObject({ opening: -0.5, closing: 0.3, invoiced: 0.9, paid: 0.1 })
    const january = statementOf(lines, -0.5, { from: '2026-01-01', to: '2026-01-31' })
    const february = statementOf(lines, -0.5, { from: '2026-02-01', to: '2026-02-28' })
    expect(january).toMatchObject({ opening: -0.5, closing: 0.2 })
    expect(february).toMatchObject({ opening: 0.2, closing: 0.3, invoiced: 0.2, paid: 0.1 })
    expect(february.lines.map(({ id }) => id)).toEqual(['b', 'c', 'd'])
    const march = statementOf(lines, -0.5, { from: '2026-03-01', to: '2026-03-31' })
    expect(march).toEqual({ lines: [], opening: 0.3, closing: 0.3, invoiced: 0, paid: 0 })
  })
})

describe('balance chart', () => {
  it('has one point per day until today', () => {
    const points = balanceSeries(statementOf(linesOf([newest, older]), -0.5, ALWAYS), '2026-02-06')
    expect(points.map(({ value }) => value)).toEqual([0.2, 0.2, 0.3, 0.3, 0.4, 0.4, 0.3, 0.3])
    expect([points[0]!.at, points.at(-1)!.at]).toEqual(['30 Jan', '6 Feb'])
  })

  it('uses equal steps over years, and has no points without entries', () => {
    const points = balanceSeries(statementOf(linesOf([newest, older]), -0.5, ALWAYS), '2029-02-06')
    expect(points.length).toBeLessThanOrEqual(122)
    expect(points.at(-1)).toEqual({ at: '6 Feb', value: 0.3 })
    expect(balanceSeries(statementOf([], 5, ALWAYS), '2026-02-06')).toEqual([])
  })
})

describe('statement periods', () => {
  it('offers months and financial years, which begin in April', () => {
    expect(periodsAt('2026-03-31')).toEqual([
      { name: 'This month', from: '2026-03-01', to: '2026-03-31' },
      { name: 'Last month', from: '2026-02-01', to: '2026-02-28' },
      { name: 'Financial year 2025–26', from: '2025-04-01', to: '2026-03-31' },
      { name: 'Financial year 2024–25', from: '2024-04-01', to: '2025-03-31' },
    ])
    expect(periodsAt('2026-04-01')[2]).toMatchObject({ from: '2026-04-01', to: '2027-03-31' })
  })
})
