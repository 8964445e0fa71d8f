import { type Kysely, sql } from 'kysely'

/** The ledger holds what organisations owe and have paid. Entries are history: a correction is a new one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table organisation
      add column gst text,
      add column credit_limit_paise bigint not null default 0 check (credit_limit_paise >= 0);

    create table ledger_entry (
      id bigint generated always as identity primary key,
      organisation_id uuid not null references organisation (id),
      kind text not null check (kind in ('invoice', 'payment')),
      -- The number on the invoice, or the payment's own: what somebody would ask for on the telephone.
      reference text not null check (reference = btrim(reference) and reference <> ''),
      particular text not null,
      -- Below zero: a correction, or money paid back.
      amount_paise bigint not null check (amount_paise <> 0),
      -- The day it bears, in the organisation's zone.
      date date not null,
      source text not null check (source in ('manual', 'provider')),
      created_by text not null,
      created_at timestamptz not null default portal_now(),
      unique (organisation_id, kind, reference)
    );
    create index ledger_entry_organisation on ledger_entry (organisation_id, date, id)
      include (kind, amount_paise);
  `.execute(db)
}
