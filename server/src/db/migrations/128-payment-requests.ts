import { type Kysely, sql } from 'kysely'

/** An amount that an organisation is asked by mail to pay: one order at the provider at most, so that it is paid once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment_request (
      id uuid primary key default gen_random_uuid(),
      organisation_id uuid not null references organisation (id),
      -- The provider takes no less than a rupee.
      amount_paise bigint not null check (amount_paise >= 100),
      about text not null check (about = btrim(about) and about <> ''),
      asked_by text not null,
      created_at timestamptz not null default portal_now(),
      expires_at timestamptz not null check (expires_at > created_at),
      cancelled_at timestamptz,
      -- Once it is mailed; empty: there was nobody to mail, or it was over before.
      sent_to text[],
      unique (id, organisation_id)
    );
    create index payment_request_organisation on payment_request (organisation_id, created_at desc);

    create function keep_payment_request() returns trigger language plpgsql as $$
    begin
      raise exception 'a payment request keeps what it asks for, and stays cancelled' using errcode = 'check_violation';
    end $$;
    create trigger payment_request_kept before update on payment_request for each row
      when ((old.organisation_id, old.amount_paise, old.about, old.asked_by, old.expires_at)
          is distinct from (new.organisation_id, new.amount_paise, new.about, new.asked_by, new.expires_at)
        or (old.cancelled_at is not null and new.cancelled_at is distinct from old.cancelled_at))
      execute function keep_payment_request();

    alter table payment
      add column request uuid unique,
      add foreign key (request, organisation_id) references payment_request (id, organisation_id);`.execute(db)
}
