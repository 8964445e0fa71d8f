import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { settlement } from '@trainyard/contract/calls/settlement.ts'
import { UNSETTLED_DAYS } from '@trainyard/contract/words/settlement.ts'
import type { Db } from '../../../db/schema.ts'
import { BILLING_ZONE } from '../meter/months.ts'

type Differences = ReplyOf<typeof settlement.differences>

const SHOWN = 500

/**
 * Compares each online payment and refund of the ledger with the lines of settlements. Together with the
 * waiting entries, the differences add up to the balance of the account Payment Provider.
 */
export async function settlementDifferences(db: Db): Promise<Differences> {
  const { rows } = await sql<{ row: Differences['rows'][number] | null; balance: number; waiting: number }>`
    with booked as (
      select e.reference as id, e.organisation_id, e.date, p.paise
      from ledger_entry e join posting p on p.entry_id = e.id and p.account = 'provider' where e.source = 'provider'
    ), pair as (
      select coalesce(b.id, l.id) as id, b.organisation_id, l.settlement, b.paise as booked, l.gross_paise as settled,
        l.id is not null as has_line,
        coalesce(b.date, (s.settled_at at time zone ${BILLING_ZONE})::date) as date
      from booked b full join (select * from settlement_line where type in ('payment', 'refund') or gross_paise is null) l
        on l.id = b.id left join settlement s on s.id = l.settlement
    ), judged as (
      select *, case
        when has_line and settled is null then 'sum'
        when not has_line and date >= (select min(day) from settlement_day) and date < (portal_now() at time zone ${BILLING_ZONE})::date - ${UNSETTLED_DAYS}::int then 'unsettled'
        when booked is null and id in (select reference from ledger_entry where source = 'manual') then 'typed'
        when booked is null then 'unknown'
        when booked <> settled then 'amount' end as reason
      from pair
    )
    select coalesce((select sum(paise) from posting where account = 'provider'), 0)::bigint
        + coalesce((select sum(paise) from settlement_posting where account = 'provider'), 0)::bigint as balance,
      coalesce((select sum(booked) from judged where settled is null), 0)::bigint as waiting, r.row
    from (select 1) as one left join lateral (
      select jsonb_build_object('id', j.id, 'reason', reason, 'date', to_char(date, 'YYYY-MM-DD'), 'organization', o.name,
        'settlement', settlement, 'ledgerPaise', coalesce(booked, 0), 'settledPaise', coalesce(settled, 0)) as row
      from judged j left join organisation o on o.id = j.organisation_id
      where reason is not null order by date, j.id limit ${SHOWN}) as r on true`.execute(db)
  const { balance, waiting } = rows[0]!
  return {
    balancePaise: balance,
    waitingPaise: waiting,
    rows: rows.flatMap(({ row }) => (row === null ? [] : [row])),
  }
}
