import { type Kysely, sql } from 'kysely'

/** Orders for payments at the provider. What was paid stands in the ledger; a row here says where to look for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment (
      -- The order's receipt at the provider.
      id uuid primary key default gen_random_uuid(),
      organisation_id uuid not null references organisation (id),
      amount_paise bigint not null check (amount_paise > 0),
      order_id text not null unique,
      asked_by text not null,
      created_at timestamptz not null default portal_now(),
      paid_at timestamptz,

      -- When the provider is asked next; null: only when it says that something happened.
      reconcile_at timestamptz,
      leased_until timestamptz,
      fence bigint not null default 0,
      generation bigint not null default 0,
      attempts integer not null default 0,
      trouble text
    );
    create index payment_due on payment (reconcile_at) where reconcile_at is not null;
    create index payment_trouble on payment (created_at) where trouble is not null;
    create index payment_organisation on payment (organisation_id, created_at);

    create function keep_payment() returns trigger language plpgsql as $$
    begin
      raise exception 'whose a payment is, its amount and its order never change, and paid is final';
    end $$;
    create trigger payment_forward before update on payment for each row
      when ((old.organisation_id, old.amount_paise, old.order_id) is distinct from
        (new.organisation_id, new.amount_paise, new.order_id)
        or (old.paid_at is not null and new.paid_at is distinct from old.paid_at))
      execute function keep_payment();

    -- A payment is credited once, whosever order it is said to be for.
    create unique index ledger_entry_provider on ledger_entry (reference) where source = 'provider';
  `.execute(db)
}
