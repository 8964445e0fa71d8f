import { type Kysely, sql } from 'kysely'

/** Stores the tax of invoices that users enter, and posts it to the accounts of the taxes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DOCUMENT).execute(db)
  await sql.raw(POSTINGS).execute(db)
}

const DOCUMENT = `
-- The invoice as a tax document, if its tax was entered.
alter table ledger_entry add column entered_document jsonb,
  add check (entered_document is null or (kind = 'invoice' and source = 'manual'
    and (entered_document #>> '{totals,totalPaise}')::bigint = amount_paise and entered_document ->> 'number' = reference));
create index ledger_entry_entered_document on ledger_entry (date) where entered_document is not null;
`

const POSTINGS = `
-- The reversal of a document's entry has the opposite postings to Sales, taxes, round-off and discount. The reversal of
-- an invoice that a user entered also has, except that its sales are reversed in an account of their own.
create or replace function post_entries(ids bigint[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into posting (entry_id, account, organisation_id, paise)
  with entry as (
    select e.id, e.organisation_id, e.kind, e.source, e.reversed_kind, e.reverses, c.change,
      coalesce(e.entered_document, (select i.entered_document from ledger_entry i where e.kind = 'invoice reversal'
        and i.kind = 'invoice' and i.organisation_id = e.organisation_id and i.reference = e.reverses)) as document,
      b.invoice_paise - b.payment_paise - sum(c.change) over (partition by e.organisation_id)
        + sum(c.change) over (partition by e.organisation_id order by e.id) as after
    from ledger_entry e join ledger_balance b using (organisation_id)
      cross join lateral (select balance_change(e.kind, e.amount_paise) as change) as c
    where e.id = any(ids)
  ), part as (
    select id, organisation_id, 'receivable' as account, greatest(after, 0) - greatest(after - change, 0) as paise
    from entry
    union all
    select id, organisation_id, 'advances', least(after, 0) - least(after - change, 0) from entry
    union all
    select id, organisation_id, case kind
      when 'invoice' then 'sales'
      when 'tds' then 'tds'
      when 'invoice reversal' then 'sales_reversals'
      when 'payment reversal' then 'receipt_reversals'
      when 'tds reversal' then 'tds_reversals'
      when 'write-off' then 'bad_debts'
      else case source when 'provider' then 'provider' else 'bank' end end, -change
    from entry where source <> 'issued' and document is null
    union all
    select id, organisation_id, posted.account,
      (document -> 'totals' ->> posted.field)::bigint * case kind when 'invoice' then -1 else 1 end
    from entry cross join lateral (values
      (case kind when 'invoice' then 'sales' else 'sales_reversals' end, 'taxablePaise'),
      ('output_cgst', 'cgstPaise'),
      (case document ->> 'localTax' when 'UTGST' then 'output_utgst' else 'output_sgst' end, 'sgstPaise'),
      ('output_igst', 'igstPaise'), ('round_off', 'roundOffPaise')) as posted (account, field)
    where document is not null
    union all
    select entry.id, entry.organisation_id, p.account, -p.paise
    from entry join ledger_entry original on original.organisation_id = entry.organisation_id
        and original.kind = entry.reversed_kind and original.reference = entry.reverses
      join posting p on p.entry_id = original.id and p.account not in ('receivable', 'advances')
    where entry.source = 'issued'
  )
  select id, account, organisation_id, paise from part where paise <> 0
$$;
`
