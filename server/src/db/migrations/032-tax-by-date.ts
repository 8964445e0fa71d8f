import { type Kysely, sql } from 'kysely'

/**
 * An undertaking (LUT) is valid for one financial year (Circular 8/8/2017). A financial credit note is issued after 30
 * November following the financial year of the invoice. It reduces the amount of the invoice, but not the tax (section
 * 34(2) of the CGST Act).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(UNDERTAKINGS).execute(db)
  await sql.raw(CREDIT_NOTES).execute(db)
}

const UNDERTAKINGS = `
create table undertaking (
  -- April to March, such as '26-27'.
  financial_year text primary key check (financial_year ~ '^[0-9]{2}-[0-9]{2}$'
    and mod(left(financial_year, 2)::int + 1, 100) = right(financial_year, 2)::int),
  -- Reference number.
  number text not null check (number = btrim(number) and number <> '')
);
-- The year of older undertakings was not stored. Such an undertaking is assigned to the current year.
insert into undertaking (financial_year, number)
  select to_char(supplier_today() - interval '3 months', 'YY') || '-' || to_char(supplier_today() + interval '9 months', 'YY'),
    undertaking from supplier where undertaking is not null;
alter table supplier drop column undertaking;
`

const CREDIT_NOTES = `
alter table supplier add column financial_note_prefix text not null default 'FCN'
  check (financial_note_prefix ~ '^[A-Z1-9][A-Z0-9]{0,3}$');
update supplier set financial_note_prefix = 'FNC'
  where 'FCN' in (invoice_prefix, credit_note_prefix, receipt_prefix, refund_prefix);

alter table tax_document drop constraint tax_document_organisation_id_entry_kind_number_total_paise_fkey;
alter table tax_document drop column entry_kind;
alter table tax_document add column entry_kind text generated always as (case kind when 'invoice' then 'invoice'
  when 'credit note' then 'payment' when 'financial credit note' then 'payment' end) stored;
alter table tax_document
  drop constraint tax_document_kind_check,
  drop constraint tax_document_check4,
  drop constraint tax_document_check6,
  add constraint tax_document_kind_check
    check (kind in ('invoice', 'credit note', 'receipt voucher', 'refund voucher', 'financial credit note')),
  add constraint tax_document_corrects
    check ((kind in ('credit note', 'refund voucher', 'financial credit note')) = (of_document is not null)),
  add constraint tax_document_e_invoice check ((kind in ('invoice', 'credit note')) = (e_invoice is not null)),
  add constraint tax_document_untaxed
    check (kind <> 'financial credit note' or (cgst_paise = 0 and igst_paise = 0 and not needs_registration)),
  add foreign key (organisation_id, entry_kind, number, total_paise)
    references ledger_entry (organisation_id, kind, reference, amount_paise);

create or replace function limit_corrections() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare original tax_document; corrected record;
begin
  select * into original from tax_document where id = new.of_document for no key update;
  if (new.kind, original.kind) not in
    (('credit note', 'invoice'), ('financial credit note', 'invoice'), ('refund voucher', 'receipt voucher')) then
    raise exception 'A % cannot correct a %', new.kind, original.kind using errcode = 'check_violation';
  end if;
  if original.kind = 'invoice' and (new.kind = 'financial credit note') <> (new.issued_on >
    make_date(extract(year from original.issued_on - interval '3 months')::int + 1, 11, 30)) then
    raise exception 'A % is not possible on %', new.kind, new.issued_on using errcode = 'check_violation';
  end if;
  select coalesce(sum(taxable_paise), 0) as taxable, coalesce(sum(cgst_paise), 0) as cgst,
    coalesce(sum(igst_paise), 0) as igst, coalesce(sum(total_paise), 0) as total
    into corrected from tax_document where of_document = new.of_document;
  if corrected.taxable + new.taxable_paise > original.taxable_paise
    or corrected.cgst + new.cgst_paise > original.cgst_paise
    or corrected.igst + new.igst_paise > original.igst_paise
    or corrected.total + new.total_paise > original.total_paise then
    raise exception 'Corrections exceed the amounts of %', original.number using errcode = 'check_violation';
  end if;
  return new;
end $$;
`
