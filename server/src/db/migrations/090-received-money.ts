import { type Kysely, sql } from 'kysely'

/**
 * Counts credit notes and write-offs as a reduction of the invoiced amount, because neither brings money. They were
 * counted as received.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(IS_INVOICED).execute(db)
  await sql.raw(SUMS).execute(db)
}

const IS_INVOICED = `
-- True for entries that change the invoiced amount: invoices, write-offs, the portal's own documents (credit notes
-- included), and reversals of these. The others change the received amount: payments and refunds, and TDS, which the
-- customer pays to the government for the supplier.
create function is_invoiced(kind text, source text) returns boolean immutable parallel safe
language sql return source = 'issued' or kind in ('invoice', 'invoice reversal', 'write-off');

create or replace function update_ledger_balance() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into ledger_balance as balance
    select organisation_id,
      coalesce(sum(balance_change(kind, amount_paise)) filter (where is_invoiced(kind, source)), 0),
      coalesce(-sum(balance_change(kind, amount_paise)) filter (where not is_invoiced(kind, source)), 0)
    from added group by organisation_id order by organisation_id
  on conflict (organisation_id) do update
    set invoice_paise = balance.invoice_paise + excluded.invoice_paise,
      payment_paise = balance.payment_paise + excluded.payment_paise;
  -- The balances are locked now, so that concurrent entries of a customer are posted one after the other.
  perform post_entries(array(select id from added));
  return null;
end $$;
`

const SUMS = `
update ledger_balance b set invoice_paise = b.invoice_paise + moved.change, payment_paise = b.payment_paise + moved.change
from (
  select organisation_id, sum(balance_change(kind, amount_paise)) as change from ledger_entry
  where is_invoiced(kind, source) and kind not in ('invoice', 'invoice reversal') group by organisation_id
) moved where moved.organisation_id = b.organisation_id;
`
