import type { Db } from '../../../db/schema.ts'
import { selectBookedSettlements, type BookedSettlement, BOOKED_AT_ONCE } from './queries.ts'

/** Yields the entries of settlements by date. Both days are inclusive. */
export async function* bookedSettlements(
  db: Db,
  { from, to }: { readonly from: string; readonly to: string },
): AsyncIterable<BookedSettlement> {
  let [date, after] = [from, 0]
  for (;;) {
    const { rows } = await selectBookedSettlements(db, date, after, to)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < BOOKED_AT_ONCE) return
    date = last.date
    after = last.id
  }
}
