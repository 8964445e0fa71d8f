import { type Kysely, sql } from 'kysely'

/**
 * Money that is paid ahead gets a receipt voucher, and a refund voucher when it is paid back (CGST Rules 50 and 51), from
 * a day on that the supplier sets. Neither is an entry of the ledger: the payment and the refund are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await settings(db)
  await documents(db)
}

async function settings(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table supplier
      add column refund_prefix text not null default 'RFV' check (refund_prefix ~ '^[A-Z1-9][A-Z0-9]{0,3}$'),
      -- The first day whose payments get vouchers; null: none does.
      add column vouchers_from date;
    -- Another series may bear that prefix already: of four one is free.
    update supplier set refund_prefix = (select free from unnest(array['RFV', 'REF', 'RFD', 'RBV']) free
      where free not in (invoice_prefix, credit_note_prefix, receipt_prefix) limit 1);
    alter table supplier add check (refund_prefix not in (invoice_prefix, credit_note_prefix, receipt_prefix));`.execute(
    db,
  )
}

async function documents(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$
    declare old text;
    begin
      for old in select conname from pg_constraint where conrelid = 'tax_document'::regclass and contype = 'c'
        and (conname = 'tax_document_kind_check' or pg_get_constraintdef(oid) like '%of_document IS NOT NULL%'
          or pg_get_constraintdef(oid) like '%e_invoice IS NULL%')
      loop
        execute format('alter table tax_document drop constraint %I', old);
      end loop;
    end $$;
    alter table tax_document
      -- The refund that a refund voucher is for.
      add column refund text,
      add column refund_kind text check (refund_kind = 'refund'),
      add check (kind in ('invoice', 'credit note', 'receipt voucher', 'refund voucher')),
      -- A credit note corrects an invoice; a refund voucher is against a receipt voucher.
      add check ((kind in ('credit note', 'refund voucher')) = (of_document is not null)),
      add check ((kind in ('receipt voucher', 'refund voucher')) = (e_invoice is null)),
      add check ((kind = 'refund voucher') = (refund is not null) and (refund is null) = (refund_kind is null)),
      add unique (organisation_id, refund),
      add foreign key (organisation_id, refund_kind, refund) references ledger_entry (organisation_id, kind, reference);

    create or replace function bound_credit_notes() returns trigger
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare whole tax_document; taken record;
    begin
      select * into whole from tax_document where id = new.of_document for no key update;
      if (new.kind, whole.kind) not in (('credit note', 'invoice'), ('refund voucher', 'receipt voucher')) then
        raise exception 'A % is not against a %', new.kind, whole.kind using errcode = 'check_violation';
      end if;
      select coalesce(sum(taxable_paise), 0) as taxable, coalesce(sum(cgst_paise), 0) as cgst,
        coalesce(sum(igst_paise), 0) as igst, coalesce(sum(total_paise), 0) as total
        into taken from tax_document where of_document = new.of_document;
      if taken.taxable + new.taxable_paise > whole.taxable_paise
        or taken.cgst + new.cgst_paise > whole.cgst_paise
        or taken.igst + new.igst_paise > whole.igst_paise
        or taken.total + new.total_paise > whole.total_paise then
        raise exception 'More is taken off than % says', whole.number using errcode = 'check_violation';
      end if;
      return new;
    end $$;
    drop trigger tax_document_credit on tax_document;
    create trigger tax_document_credit before insert on tax_document
      for each row when (new.of_document is not null) execute function bound_credit_notes();`.execute(db)
}
