import type pg from 'pg'
import { copyInto } from './bulk.ts'
import { ENTRIES, type Size } from './size.ts'

const CHUNK = 1_000

export async function addLedger(db: pg.Client, { busy }: Size): Promise<void> {
  for (let first = 1; first <= ENTRIES; first += CHUNK) {
    await copyInto(db, 'ledger_entry', COLUMNS, entriesOf(busy, first, Math.min(first + CHUNK - 1, ENTRIES)))
  }
}

const COLUMNS = 'organisation_id, kind, reference, particular, amount_paise, date, source, created_by'

const entriesOf = (busy: number, first: number, last: number): string => `
  select id, case when paid then 'payment' else 'invoice' end,
    case when paid and n % 4 = 1 then 'pay_' || o || '_' || n when paid then 'NEFT-' || n else 'INV-' || n end,
    case when paid then 'Payment received' else 'Invoice' end,
    (case when n > ${ENTRIES - 2} and o % 3 = 0 then 500000 else 100000 + (n / 2 * 7919 + o * 31) % 900000 end)::bigint,
    (portal_now() at time zone 'Asia/Kolkata')::date - (${ENTRIES} - n) * 1095 / ${ENTRIES},
    case when paid and n % 4 = 1 then 'provider' else 'manual' end, 'seed'
  from (
    select id, o, n, n % 2 = 1 and not (n > ${ENTRIES - 2} and o % 3 = 0) as paid
    from (select id, split_part(name, ' ', 2)::int as o from organisation) numbered,
      generate_series(${first}::int, ${last}::int) n
    where o <= ${busy}
  ) entries order by n, o`

export async function addBalances(db: pg.Client): Promise<void> {
  // The bulk load runs no triggers.
  await db.query('select update_balances(array(select id from ledger_entry))')
  await db.query('select post_entries(array(select id from ledger_entry))')
}
