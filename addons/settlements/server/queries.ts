import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { settlement } from '../contract/settlement.ts'
import { UNSETTLED_DAYS } from '../contract/settlement-words.ts'
import type { AnswerTo } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { OtherEntry, otherPostings } from '@trainyard/accounting/server/hooks.ts'
import type { SettledLine } from '@trainyard/payments/server/payments-provider.ts'
import { BILLING_ZONE } from '@trainyard/templates/server/price-at.ts'

const BOOKED_AT_ONCE = 500

export type Differences = ReplyOf<typeof settlement.differences>

const SHOWN = 500

export type Settlements = ReplyOf<typeof settlement.list>

const FEE = sql`coalesce(l.deducted_paise - case l.deducted_paise when 0 then 0 else l.tax_paise end, 0)`

const TAX = sql`coalesce(case l.deducted_paise when 0 then 0 else l.tax_paise end, 0)`

const NET = sql`coalesce(l.gross_paise - l.deducted_paise, 0)`

export const PAGE = 100

export type Settlement = ReplyOf<typeof settlement.lines>

const LINES = 1_000

/** Older settlements are not read. Limits the first run of a portal with a long history. */
const OLDEST_DAYS = 400

/** Number of days for which the settlements of a day are read again, because lines can be late or corrected. */
const READ_AGAIN_DAYS = 10

export const selectBookedSettlements = (db: Db, date: string, after: number, to: string) =>
  sql<OtherEntry>`
    select e.id, case e.number when 1 then s.id else s.id || '/' || e.number end as reference,
      to_char(e.date, 'YYYY-MM-DD') as date,
      case e.number when 1 then 'Settlement ' else 'Change of settlement ' end || s.id || coalesce(', UTR ' || s.utr, '')
        as particular,
      (select jsonb_agg(jsonb_build_array(a.name, p.paise) order by a.place) from settlement_posting p
        join ledger_account a on a.code = p.account where p.entry_id = e.id) as postings
    from settlement_entry e join settlement s on s.id = e.settlement
    where (e.date, e.id) > (${date}::date, ${after}::bigint) and e.date <= ${to}::date
    order by e.date, e.id limit ${BOOKED_AT_ONCE}`.execute(db)

export const selectSettlementDifferences = (db: Db) =>
  sql<{ row: Differences['rows'][number] | null; balance: number; waiting: number }>`
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

export const selectSettlements = (db: Db, before: string | undefined) => {
  const older =
    before === undefined
      ? sql`true`
      : sql`(s.settled_at, s.id) < (select settled_at, id from settlement
      where id = ${before})`
  return sql<Settlements['settlements'][number]>`
    select s.id, s.utr, to_char(s.settled_at at time zone ${BILLING_ZONE}, 'YYYY-MM-DD') as date, l.*
    from settlement s cross join lateral (select count(*)::int as lines,
      coalesce(sum(l.gross_paise) filter (where type = 'payment'), 0)::bigint as "paymentsPaise",
      coalesce(sum(l.gross_paise) filter (where type = 'refund'), 0)::bigint as "refundsPaise",
      coalesce(sum(l.gross_paise) filter (where type not in ('payment', 'refund')), 0)::bigint as "othersPaise",
      coalesce(sum(${FEE}), 0)::bigint as "feePaise", coalesce(sum(${TAX}), 0)::bigint as "taxPaise",
      coalesce(sum(${NET}), 0)::bigint as "netPaise"
      from settlement_line l where l.settlement = s.id) as l
    where ${older} order by s.settled_at desc, s.id desc limit ${PAGE + 1}`.execute(db)
}

export const selectLastDay = (db: Db) =>
  sql<{ day: string | null }>`
    select to_char(max(day), 'YYYY-MM-DD') as day from settlement_day`.execute(db)

export const selectSettlementLines = (db: Db, id: string) =>
  sql<Settlement['lines'][number]>`
    select l.id, l.type, o.name as organization, l.description,
      coalesce(l.gross_paise, 0)::bigint as "grossPaise", ${FEE}::bigint as "feePaise", ${TAX}::bigint as "taxPaise",
      ${NET}::bigint as "netPaise"
    from settlement_line l left join ledger_entry e on e.reference = l.id and e.source = 'provider'
      left join organisation o on o.id = e.organisation_id
    where l.settlement = ${id} order by l.type, l.id limit ${LINES}`.execute(db)

export const selectSettlementEntries = (db: Db, id: string) =>
  sql<Settlement['entries'][number]>`
    select e.number, to_char(e.date, 'YYYY-MM-DD') as date,
      coalesce((select p.paise from settlement_posting p where p.entry_id = e.id and p.account = 'bank'), 0)::bigint as "netPaise"
    from settlement_entry e where e.settlement = ${id} order by e.number`.execute(db)

export const selectDaysToRead = (db: Db) =>
  sql<{ day: string }>`
    with present as (
      select today, greatest((select min(date) from ledger_entry where source = 'provider'), today - ${OLDEST_DAYS}::int) as first
      from (select (portal_now() at time zone ${BILLING_ZONE})::date as today) as t
    )
    select to_char(ended.day, 'YYYY-MM-DD') as day
    from present cross join lateral (select first + n as day from generate_series(0, today - 1 - first) as n) as ended
      left join settlement_day d on d.day = ended.day
    where (select true from ledger_entry where source = 'provider' limit 1) and (d.day is null or (
      d.read_at < (ended.day + ${READ_AGAIN_DAYS + 1}::int)::timestamp at time zone ${BILLING_ZONE}
      and d.read_at <= portal_now() - interval '20 hours'))
    order by ended.day`.execute(db)

export const upsertDay = (tx: Tx, day: string) =>
  sql`insert into settlement_day values (${day}, portal_now())
    on conflict (day) do update set read_at = excluded.read_at`.execute(tx)

export const insertSettlements = (tx: Tx, lines: readonly SettledLine[]) => {
  const records = sql`jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as l (id text, type text, "settlementId" text,
    utr text, "settledAt" timestamptz, currency text, amount bigint, credit bigint, debit bigint, fee bigint, tax bigint,
    description text)`
  return sql`insert into settlement (id, utr, settled_at)
    select "settlementId", max(utr), min("settledAt") from ${records} group by "settlementId" order by "settlementId"
    on conflict (id) do update set utr = excluded.utr where excluded.utr is not null`.execute(tx)
}

export const selectSettlementsOfLines = (tx: Tx, ids: readonly string[]) =>
  sql<{ id: string }>`select distinct settlement as id from settlement_line
    where id = any(${ids})`.execute(tx)

export const upsertLines = (tx: Tx, lines: readonly SettledLine[]) => {
  const records = sql`jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as l (id text, type text, "settlementId" text,
    utr text, "settledAt" timestamptz, currency text, amount bigint, credit bigint, debit bigint, fee bigint, tax bigint,
    description text)`
  return sql`insert into settlement_line (id, type, settlement, currency, amount_paise, credit_paise, debit_paise, fee_paise,
      tax_paise, description)
    select id, type, "settlementId", currency, amount, credit, debit, fee, tax, description from ${records} order by id
    on conflict (id) do update set type = excluded.type, settlement = excluded.settlement, currency = excluded.currency,
      amount_paise = excluded.amount_paise, credit_paise = excluded.credit_paise, debit_paise = excluded.debit_paise,
      fee_paise = excluded.fee_paise, tax_paise = excluded.tax_paise, description = excluded.description
    where (select settled_at from settlement where id = excluded.settlement)
      >= (select settled_at from settlement where id = settlement_line.settlement)`.execute(tx)
}

export const postSettlements = (tx: Tx, settlements: readonly string[]) =>
  sql`select post_settlement(id) from unnest(${settlements}::text[]) as id`.execute(tx)

export const postingsOfSettlements: AnswerTo<typeof otherPostings> = () => sql`
  select e.date, p.account, p.paise from settlement_posting p join settlement_entry e on e.id = p.entry_id`
