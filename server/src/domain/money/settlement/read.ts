import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/schema.ts'
import type { Payments, SettledLine } from '../../../providers/payments.ts'
import { BILLING_ZONE } from '../meter/months.ts'
import { lockName } from '../../../db/client.ts'

/** Number of days for which the settlements of a day are read again, because lines can be late or corrected. */
const READ_AGAIN_DAYS = 10
/** Older settlements are not read. Limits the first run of a portal with a long history. */
const OLDEST_DAYS = 400

/**
 * Reads the settlements of every day that has ended since the first online payment: once, and then daily for some days.
 * Each day is a separate transaction, so that a run that ends early loses nothing. Safe to repeat.
 */
export async function readSettlements(db: Db, payments: Payments, signal: AbortSignal): Promise<void> {
  for (const day of await daysToRead(db)) {
    if (signal.aborted) return
    const lines = await payments.listSettled(day, signal)
    await db.transaction().execute((tx) => storeDay(tx, day, lines))
  }
}

async function daysToRead(db: Db): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
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
  return rows.map(({ day }) => day)
}

async function storeDay(tx: Tx, day: string, lines: readonly SettledLine[]): Promise<void> {
  await lockName(tx, 'trainyard settlements')
  await sql`insert into settlement_day values (${day}, portal_now())
    on conflict (day) do update set read_at = excluded.read_at`.execute(tx)
  if (lines.length === 0) return
  const records = sql`jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as l (id text, type text, "settlementId" text,
    utr text, "settledAt" timestamptz, currency text, amount bigint, credit bigint, debit bigint, fee bigint, tax bigint,
    description text)`
  await sql`insert into settlement (id, utr, settled_at)
    select "settlementId", max(utr), min("settledAt") from ${records} group by "settlementId" order by "settlementId"
    on conflict (id) do update set utr = excluded.utr where excluded.utr is not null`.execute(tx)
  const { rows: before } = await sql<{ id: string }>`select distinct settlement as id from settlement_line
    where id = any(${lines.map(({ id }) => id)})`.execute(tx)
  // A transfer to the bank that failed is repeated by a later settlement, to which its lines move. The report of the
  // earlier day may still list them.
  await sql`insert into settlement_line (id, type, settlement, currency, amount_paise, credit_paise, debit_paise, fee_paise,
      tax_paise, description)
    select id, type, "settlementId", currency, amount, credit, debit, fee, tax, description from ${records} order by id
    on conflict (id) do update set type = excluded.type, settlement = excluded.settlement, currency = excluded.currency,
      amount_paise = excluded.amount_paise, credit_paise = excluded.credit_paise, debit_paise = excluded.debit_paise,
      fee_paise = excluded.fee_paise, tax_paise = excluded.tax_paise, description = excluded.description
    where (select settled_at from settlement where id = excluded.settlement)
      >= (select settled_at from settlement where id = settlement_line.settlement)`.execute(tx)
  const changed = [...new Set([...before.map(({ id }) => id), ...lines.map(({ settlementId }) => settlementId)])]
  await sql`select post_settlement(id) from unnest(${changed.toSorted()}::text[]) as id`.execute(tx)
}
