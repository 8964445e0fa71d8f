import { balanceChange } from '@trainyard/ledger/contract/entry.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { type Advance, isInterState } from './gstr-1.ts'
import { selectAdvanceEntries, type AdvanceEntry, type Document } from './queries.ts'

/**
 * Part of a payment that became an advance after its receipt voucher was issued, because an invoice was cancelled. The
 * voucher, and table 11A, do not contain the tax of this part.
 */
export interface AdvanceWithoutTax {
  readonly organisation: string
  readonly payment: string
  readonly date: string
  readonly paise: number
}

/** Advance with the amount that invoices and refunds have not used up yet, in paise. */
interface OpenAdvance {
  readonly payment: string
  readonly month: string
  readonly voucher: Document | null
  left: number
  money: Pick<Advance, 'taxablePaise' | 'cgstPaise' | 'sgstPaise' | 'igstPaise'>
}

/**
 * Returns tables 11A and 11B of a month. An advance belongs to the month of its payment (section 13(2) of the CGST
 * Act). Invoices use up the oldest advances first. Amounts that are used up or refunded in the month of the payment
 * reduce table 11A. Amounts that are used up or refunded later are listed in table 11B. Advances without tax are not
 * listed. Also returns the advances of the month that exceed their receipt voucher.
 */
export function advancesIn(
  month: string,
  entries: readonly AdvanceEntry[],
): {
  readonly received: Advance[]
  readonly adjusted: Advance[]
  readonly withoutTax: AdvanceWithoutTax[]
} {
  const received: Advance[] = []
  const adjusted: Advance[] = []
  const withoutTax: AdvanceWithoutTax[] = []
  for (const own of Map.groupBy(entries, ({ organisation }) => organisation).values()) {
    const open: OpenAdvance[] = []
    let owed = 0
    for (const entry of own) {
      const change = balanceChange(entry.kind, entry.amount)
      const prepaid = Math.max(0, -owed)
      owed += change
      const more = Math.max(0, -owed) - prepaid
      if (more > 0) {
        const advance = openAdvanceOf(entry, more)
        open.push(advance)
        if (advance.month === month) addTo(received, advance, advance.money, 1)
        const paise = entry.voucher === null ? 0 : more - entry.voucher.totals.totalPaise
        if (advance.month === month && paise > 0) {
          withoutTax.push({ organisation: entry.organisation, payment: entry.reference, date: entry.date, paise })
        }
      } else {
        useUp(open, entry, -more)
      }
    }
  }
  return { received, adjusted, withoutTax }

  function useUp(open: readonly OpenAdvance[], entry: AdvanceEntry, amount: number): void {
    const first = entry.of === null ? [] : open.filter(({ payment }) => payment === entry.of)
    let rest = amount
    for (const advance of [...first, ...open]) {
      const part = Math.min(rest, advance.left)
      if (part === 0) continue
      rest -= part
      const used = partOf(advance, part, advance.payment === entry.of ? entry.voucher : null)
      const at = entry.date.slice(0, 7)
      if (at <= advance.month) {
        if (advance.month === month) addTo(received, advance, used, -1)
      } else if (at === month) addTo(adjusted, advance, used, 1)
    }
  }
}

function openAdvanceOf({ reference, date, voucher }: AdvanceEntry, more: number): OpenAdvance {
  const { taxablePaise = 0, cgstPaise = 0, sgstPaise = 0, igstPaise = 0 } = voucher?.totals ?? {}
  const money = { taxablePaise, cgstPaise, sgstPaise, igstPaise }
  return { payment: reference, month: date.slice(0, 7), voucher, left: more, money }
}

/**
 * Subtracts an amount from an advance and returns the amount's share of the taxes. The last amount gets the remainder,
 * so that rounding loses nothing.
 */
function partOf(advance: OpenAdvance, part: number, refund: Document | null): OpenAdvance['money'] {
  const { left, money } = advance
  const share = (paise: number) => (part === left ? paise : Number((BigInt(paise) * BigInt(part)) / BigInt(left)))
  const exact = part === left ? undefined : refund?.totals
  const used = {
    taxablePaise: exact?.taxablePaise ?? share(money.taxablePaise),
    cgstPaise: exact?.cgstPaise ?? share(money.cgstPaise),
    sgstPaise: exact?.sgstPaise ?? share(money.sgstPaise),
    igstPaise: exact?.igstPaise ?? share(money.igstPaise),
  }
  advance.left -= part
  advance.money = {
    taxablePaise: money.taxablePaise - used.taxablePaise,
    cgstPaise: money.cgstPaise - used.cgstPaise,
    sgstPaise: money.sgstPaise - used.sgstPaise,
    igstPaise: money.igstPaise - used.igstPaise,
  }
  return used
}

function addTo(table: Advance[], { voucher }: OpenAdvance, money: OpenAdvance['money'], sign: 1 | -1): void {
  if (voucher === null || voucher.supplyType.endsWith('WOP')) return
  table.push({
    place: voucher.placeOfSupply.code,
    isInterState: isInterState(voucher),
    rate: voucher.items[0]!.rate,
    taxablePaise: sign * money.taxablePaise,
    cgstPaise: sign * money.cgstPaise,
    sgstPaise: sign * money.sgstPaise,
    igstPaise: sign * money.igstPaise,
  })
}

/**
 * Returns the entries of the customers that have a receipt voucher of this GST number, in the order of addition. The
 * entries of cancelled documents are left out, because these documents used up no advance.
 */
export async function advanceEntries(db: Db, gstin: string): Promise<AdvanceEntry[]> {
  const { rows } = await selectAdvanceEntries(db, gstin)
  return rows
}
