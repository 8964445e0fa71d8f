import { ask } from '@trainyard/platform/server/core/events.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { otherEntries, type OtherEntry } from '@trainyard/accounting/server/hooks.ts'

/** Yields the entries that are in no account of a customer by date. Both days are inclusive. */
export async function* entriesOfNoCustomer(
  db: Db,
  { from, to }: { readonly from: string; readonly to: string },
): AsyncIterable<OtherEntry> {
  let [date, after] = [from, 0]
  for (;;) {
    const entries = await ask(db, otherEntries, { from: date, after, to })
    yield* entries
    const last = entries.at(-1)
    if (last === undefined) return
    date = last.date
    after = last.id
  }
}
