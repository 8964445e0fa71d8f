import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { ledger } from '../contract/ledger.ts'
import { type Paise, paise, paiseOfRupees, rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import type { Period } from './periods.ts'

/** A page of the account. The first page has the newest entries; within a page the oldest entry is first. */
export type Page = ReplyOf<typeof ledger.account>
type Entry = Page['transactions'][number]

export interface Line extends Entry {
  /** Position among the loaded entries by time, from 0. */
  readonly order: number
  /** In rupees. */
  readonly balance: number
}

export interface Statement {
  readonly lines: readonly Line[]
  /** Rupees owed before the first line and after the last. */
  readonly opening: number
  readonly closing: number
  readonly invoiced: number
  readonly paid: number
}

export function linesOf(pages: readonly Page[]): Line[] {
  let owed = inPaise(pages.at(-1)?.opening ?? 0)
  return pages
    .toReversed()
    .flatMap((page) => page.transactions)
    .map((entry, order) => {
      owed = paise(owed + inPaise(entry.invoice ?? 0) - inPaise(entry.payment ?? 0))
      return { ...entry, order, balance: rupeesOfPaise(owed) }
    })
}

/** @param opening rupees owed before the first of `lines` */
export function statementOf(lines: readonly Line[], opening: number, { from, to }: Period): Statement {
  const within = lines.filter(({ date }) => (from === null || date >= from) && (to === null || date <= to))
  const before = from === null ? undefined : lines.findLast(({ date }) => date < from)
  const start = before?.balance ?? opening
  const sum = (amount: (line: Line) => number | null) =>
    rupeesOfPaise(paise(within.reduce((total, line) => total + inPaise(amount(line) ?? 0), 0)))
  return {
    lines: within,
    opening: start,
    closing: within.at(-1)?.balance ?? start,
    invoiced: sum(({ invoice }) => invoice),
    paid: sum(({ payment }) => payment),
  }
}

/** Sums are computed in paise, because rupees on the wire have at most two decimals. */
const inPaise = (rupees: number): Paise => paiseOfRupees(rupees)!
