import { type Kysely, sql } from 'kysely'

/**
 * A payment can be recorded together with the tax that the payer deducted. The TDS certificate follows later. Documents
 * of withdrawn requests can be deleted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
-- Payment from which the tax of a TDS entry was deducted; null for a TDS entry that was recorded with its certificate.
alter table ledger_entry add column deducted_from text check (deducted_from is null or kind = 'tds');
alter table ledger_entry add column deducted_kind text
  generated always as (case when deducted_from is null then null else 'payment' end) stored;
alter table ledger_entry add foreign key (organisation_id, deducted_kind, deducted_from)
  references ledger_entry (organisation_id, kind, reference);
create unique index ledger_entry_deducted on ledger_entry (organisation_id, deducted_from)
  where deducted_from is not null;

-- Certificates of TDS entries that were recorded with their payment. A certificate covers a quarter of a year.
create table tds_certificate (
  organisation_id uuid not null,
  entry_kind text not null generated always as ('tds') stored,
  entry text not null,
  certificate text not null check (certificate = btrim(certificate) and certificate <> ''),
  recorded_by text not null,
  recorded_at timestamptz not null default portal_now(),
  primary key (organisation_id, entry),
  foreign key (organisation_id, entry_kind, entry) references ledger_entry (organisation_id, kind, reference)
);

-- The document of a withdrawn request is deleted some time after the withdrawal.
alter table tax_status_request alter column document drop not null;
alter table tax_status_request add check (document is not null or state = 'withdrawn');
create index tax_status_request_withdrawn on tax_status_request (decided_at)
  where state = 'withdrawn' and document is not null;
`,
    )
    .execute(db)
}
