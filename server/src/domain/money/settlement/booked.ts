import { sql } from 'kysely'
import type { Db } from '../../../db/schema.ts'

/** Entry of a settlement for bookkeeping programs. */
export interface BookedSettlement {
  readonly id: number
  /** ID of the settlement. Later changes of the settlement have a suffix. */
  readonly reference: string
  /** YYYY-MM-DD. */
  readonly date: string
  readonly particular: string
  /** Accounts are in the order of the trial balance. Positive amounts are debits. */
  readonly postings: readonly (readonly [account: string, paise: number])[]
}

const BOOKED_AT_ONCE = 500

/** Yields the entries of settlements by date. Both days are inclusive. */
export async function* bookedSettlements(
  db: Db,
  { from, to }: { readonly from: string; readonly to: string },
): AsyncIterable<BookedSettlement> {
  let [date, after] = [from, 0]
  for (;;) {
    const { rows } = await sql<BookedSettlement>`
      select e.id, case e.number when 1 then s.id else s.id || '/' || e.number end as reference,
        to_char(e.date, 'YYYY-MM-DD') as date,
        case e.number when 1 then 'Settlement ' else 'Change of settlement ' end || s.id || coalesce(', UTR ' || s.utr, '')
          as particular,
        (select jsonb_agg(jsonb_build_array(a.name, p.paise) order by a.place) from settlement_posting p
          join ledger_account a on a.code = p.account where p.entry_id = e.id) as postings
      from settlement_entry e join settlement s on s.id = e.settlement
      where (e.date, e.id) > (${date}::date, ${after}::bigint) and e.date <= ${to}::date
      order by e.date, e.id limit ${BOOKED_AT_ONCE}`.execute(db)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < BOOKED_AT_ONCE) return
    date = last.date
    after = last.id
  }
}
