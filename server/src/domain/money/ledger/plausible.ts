import { sql } from 'kysely'
import { addDays } from '@trainyard/contract/words/day.ts'
import { formatRupees } from '@trainyard/contract/words/money.ts'
import { Problem } from '../../../core/errors.ts'
import type { Tx } from '../../../db/schema.ts'
import type { OrganisationInScope } from '../../people/organisation/scope.ts'
import { supplierToday } from '../meter/months.ts'
import { NOT_REVERSED } from './entries.ts'

/** Entries with a later date than today plus this many days need a confirmation. */
const DAYS_AHEAD = 31

interface TypedValues {
  /** YYYY-MM-DD. */
  readonly date: string
  /** Tax deducted at source, in paise. */
  readonly tds?: number
  readonly confirmed: boolean
}

/**
 * Rejects implausible values that the caller has not confirmed.
 * @throws Problem unconfirmed, which names each value
 */
export async function requirePlausible(
  tx: Tx,
  { id, name }: OrganisationInScope,
  { date, tds = 0, confirmed }: TypedValues,
): Promise<void> {
  if (confirmed) return
  const today = await supplierToday(tx)
  const latest = addDays(today, DAYS_AHEAD)
  const doubts = date > latest ? [`The date ${date.split('-').toReversed().join('/')} is more than a month ahead.`] : []
  if (tds > 0) {
    const { rows } = await sql<{ billed: number; deducted: number }>`
      select coalesce(sum(amount_paise) filter (where kind = 'invoice'), 0)::bigint as billed,
        coalesce(sum(amount_paise) filter (where kind = 'tds'), 0)::bigint as deducted
      from ledger_entry e where organisation_id = ${id} and kind in ('invoice', 'tds') and ${NOT_REVERSED}`.execute(tx)
    const { billed, deducted } = rows[0]!
    if (deducted + tds > billed) {
      const total = deducted > 0 ? `, ${formatRupees((deducted + tds) / 100)} with earlier deductions,` : ''
      doubts.push(
        `TDS of ${formatRupees(tds / 100)}${total} is more than the ${formatRupees(billed / 100)} billed to ${name}.`,
      )
    }
  }
  if (doubts.length > 0) throw new Problem('unconfirmed', `${doubts.join(' ')} Check it, or confirm that it is right.`)
}
