import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { allocations } from '@trainyard/accounting/server/allocation.ts'
import type { Applied } from '@trainyard/accounting/server/queries.ts'
import { selectBookedEntries, type BookedEntry, type EntryPart, PAGE } from './queries.ts'

export async function* bookedEntries(
  db: Db,
  what: EntryPart,
  { from, to }: { readonly from: string; readonly to: string },
  organisation: OrganisationId | null,
): AsyncIterable<BookedEntry> {
  const organisations = await db
    .selectFrom('organisation')
    .select('id')
    .$if(organisation !== null, (query) => query.where('id', '=', organisation!))
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
  for (const { id } of organisations) {
    let [date, after] = [from, 0]
    let settled: ReadonlyMap<number, Applied[]> | null = null
    for (;;) {
      const { rows } = await selectBookedEntries(db, { id, date, after, to, what })
      if (rows.some(({ kind }) => kind === 'payment' || kind === 'tds')) settled ??= await allocations(db, id)
      for (const row of rows) {
        const applied = settled?.get(row.id) ?? []
        const withheld = row.deductions.flatMap((each) => settled?.get(each.id) ?? [])
        yield { ...row, applied, withheld }
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < PAGE) break
      date = last.date
      after = last.id
    }
  }
}

export const rupees = (paise: number): string => {
  const whole = Math.abs(paise)
  return `${paise < 0 ? '-' : ''}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`
}
