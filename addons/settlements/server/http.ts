import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { settlementDifferences } from './differences.ts'
import { selectSettlements, selectLastDay, selectSettlementLines, selectSettlementEntries, PAGE } from './queries.ts'

export const settlementHandlers: HandlersOf<'settlement'> = {
  async list(db, { query: { before } }) {
    const { rows } = await selectSettlements(db, before)
    const { rows: days } = await selectLastDay(db)
    const settlements = rows.slice(0, PAGE)
    const earlier = rows.length > PAGE ? settlements.at(-1)!.id : null
    return { settlements, earlier, readTo: days[0]!.day }
  },

  async lines(db, { query: { id } }) {
    const known = await db.selectFrom('settlement').select('id').where('id', '=', id).executeTakeFirst()
    if (known === undefined) throw new Problem('notFound', 'There is no settlement with this ID.')
    const { rows: lines } = await selectSettlementLines(db, id)
    const { rows: entries } = await selectSettlementEntries(db, id)
    return { lines, entries }
  },

  differences: (db) => settlementDifferences(db),
}
