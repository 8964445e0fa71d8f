import { type Kysely, sql } from 'kysely'

/**
 * Adds invoices with manually entered lines instead of the usage of a month, and debit notes (section 34(3) of the CGST
 * Act).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DOCUMENTS).execute(db)
  await sql.raw(FUNCTIONS).execute(db)
}

const DOCUMENTS = `
alter table supplier add column debit_note_prefix text not null default 'DBN'
  check (debit_note_prefix ~ '^[A-Z1-9][A-Z0-9]{0,3}$');
update supplier set debit_note_prefix = 'DNB'
  where 'DBN' in (invoice_prefix, credit_note_prefix, receipt_prefix, refund_prefix, financial_note_prefix);

alter table tax_document drop constraint tax_document_organisation_id_entry_kind_number_total_paise_fkey;
alter table tax_document drop column entry_kind;
alter table tax_document add column entry_kind text generated always as (case
  when kind in ('invoice', 'debit note') then 'invoice'
  when kind in ('credit note', 'financial credit note') then 'payment' end) stored;
alter table tax_document
  drop constraint tax_document_kind_check,
  drop constraint tax_document_check3,
  drop constraint tax_document_corrects,
  drop constraint tax_document_e_invoice,
  drop constraint tax_document_check4,
  drop constraint tax_document_check6,
  add constraint tax_document_kind_check check (kind in
    ('invoice', 'credit note', 'debit note', 'receipt voucher', 'refund voucher', 'financial credit note')),
  -- An invoice without a month has manually entered lines.
  add constraint tax_document_month check (month is null or kind = 'invoice'),
  add constraint tax_document_corrects check (
    (kind in ('credit note', 'debit note', 'refund voucher', 'financial credit note')) = (of_document is not null)),
  add constraint tax_document_e_invoice check ((kind in ('invoice', 'credit note', 'debit note')) = (e_invoice is not null)),
  add constraint tax_document_due check ((kind in ('invoice', 'debit note')) = (due_on is not null) and due_on >= issued_on),
  add foreign key (organisation_id, entry_kind, number, total_paise)
    references ledger_entry (organisation_id, kind, reference, amount_paise);
`

const FUNCTIONS = `
-- A debit note raises the limit of the credit notes of its invoice.
create or replace function limit_corrections() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare original tax_document; corrected record;
begin
  select * into original from tax_document where id = new.of_document for no key update;
  if (new.kind, original.kind) not in (('credit note', 'invoice'), ('financial credit note', 'invoice'),
    ('debit note', 'invoice'), ('refund voucher', 'receipt voucher')) then
    raise exception 'A % cannot correct a %', new.kind, original.kind using errcode = 'check_violation';
  end if;
  if new.kind = 'debit note' then return new; end if;
  if original.kind = 'invoice' and (new.kind = 'financial credit note') <> (new.issued_on >
    make_date(extract(year from original.issued_on - interval '3 months')::int + 1, 11, 30)) then
    raise exception 'A % is not possible on %', new.kind, new.issued_on using errcode = 'check_violation';
  end if;
  select coalesce(sum(sign * taxable_paise), 0) as taxable, coalesce(sum(sign * cgst_paise), 0) as cgst,
    coalesce(sum(sign * igst_paise), 0) as igst, coalesce(sum(sign * total_paise), 0) as total
    into corrected
    from (select *, case kind when 'debit note' then -1 else 1 end as sign from tax_document
      where of_document = new.of_document) as notes;
  if corrected.taxable + new.taxable_paise > original.taxable_paise
    or corrected.cgst + new.cgst_paise > original.cgst_paise
    or corrected.igst + new.igst_paise > original.igst_paise
    or corrected.total + new.total_paise > original.total_paise then
    raise exception 'Corrections exceed the amounts of %', original.number using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function post_documents(ids uuid[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into posting (entry_id, account, organisation_id, paise)
  select e.id, part.account, e.organisation_id,
    part.paise * case when d.kind in ('invoice', 'debit note') then -1 else 1 end
  from tax_document d join ledger_entry e on e.organisation_id = d.organisation_id and e.kind = d.entry_kind
      and e.reference = d.number and e.source = 'issued'
    cross join lateral (values
      (case d.kind when 'financial credit note' then 'discount' else 'sales' end, d.taxable_paise),
      ('output_cgst', d.cgst_paise),
      (case d.content->>'localTax' when 'UTGST' then 'output_utgst' else 'output_sgst' end, d.sgst_paise),
      ('output_igst', d.igst_paise),
      ('round_off', d.round_off_paise)) as part (account, paise)
  where d.id = any(ids) and part.paise <> 0
$$;
`
