import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { settlement } from '@trainyard/contract/calls/settlement.ts'
import { Problem } from '../../../core/errors.ts'
import type { HandlersOf } from '../../../core/handler.ts'
import { BILLING_ZONE } from '../meter/months.ts'
import { settlementDifferences } from './differences.ts'

type Settlements = ReplyOf<typeof settlement.list>
type Settlement = ReplyOf<typeof settlement.lines>

const PAGE = 100
const LINES = 1_000

const FEE = sql`coalesce(l.deducted_paise - case l.deducted_paise when 0 then 0 else l.tax_paise end, 0)`
const TAX = sql`coalesce(case l.deducted_paise when 0 then 0 else l.tax_paise end, 0)`
const NET = sql`coalesce(l.gross_paise - l.deducted_paise, 0)`

export const settlementHandlers: HandlersOf<'settlement'> = {
  async list(db, { query: { before } }) {
    const older =
      before === undefined
        ? sql`true`
        : sql`(s.settled_at, s.id) < (select settled_at, id from settlement
      where id = ${before})`
    const { rows } = await sql<Settlements['settlements'][number]>`
      select s.id, s.utr, to_char(s.settled_at at time zone ${BILLING_ZONE}, 'YYYY-MM-DD') as date, l.*
      from settlement s cross join lateral (select count(*)::int as lines,
        coalesce(sum(l.gross_paise) filter (where type = 'payment'), 0)::bigint as "paymentsPaise",
        coalesce(sum(l.gross_paise) filter (where type = 'refund'), 0)::bigint as "refundsPaise",
        coalesce(sum(l.gross_paise) filter (where type not in ('payment', 'refund')), 0)::bigint as "othersPaise",
        coalesce(sum(${FEE}), 0)::bigint as "feePaise", coalesce(sum(${TAX}), 0)::bigint as "taxPaise",
        coalesce(sum(${NET}), 0)::bigint as "netPaise"
        from settlement_line l where l.settlement = s.id) as l
      where ${older} order by s.settled_at desc, s.id desc limit ${PAGE + 1}`.execute(db)
    const { rows: days } = await sql<{ day: string | null }>`
      select to_char(max(day), 'YYYY-MM-DD') as day from settlement_day`.execute(db)
    const settlements = rows.slice(0, PAGE)
    const earlier = rows.length > PAGE ? settlements.at(-1)!.id : null
    return { settlements, earlier, readTo: days[0]!.day }
  },

  async lines(db, { query: { id } }) {
    const known = await db.selectFrom('settlement').select('id').where('id', '=', id).executeTakeFirst()
    if (known === undefined) throw new Problem('notFound', 'There is no settlement with this ID.')
    const { rows: lines } = await sql<Settlement['lines'][number]>`
      select l.id, l.type, o.name as organization, l.description,
        coalesce(l.gross_paise, 0)::bigint as "grossPaise", ${FEE}::bigint as "feePaise", ${TAX}::bigint as "taxPaise",
        ${NET}::bigint as "netPaise"
      from settlement_line l left join ledger_entry e on e.reference = l.id and e.source = 'provider'
        left join organisation o on o.id = e.organisation_id
      where l.settlement = ${id} order by l.type, l.id limit ${LINES}`.execute(db)
    const { rows: entries } = await sql<Settlement['entries'][number]>`
      select e.number, to_char(e.date, 'YYYY-MM-DD') as date,
        coalesce((select p.paise from settlement_posting p where p.entry_id = e.id and p.account = 'bank'), 0)::bigint as "netPaise"
      from settlement_entry e where e.settlement = ${id} order by e.number`.execute(db)
    return { lines, entries }
  },

  differences: (db) => settlementDifferences(db),
}
