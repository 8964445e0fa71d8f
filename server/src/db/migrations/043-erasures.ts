import { type Kysely, sql } from 'kysely'

/** Adds erasures of a person's data, and the signed hashes of the audit rows that an erasure changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of [TABLES, TRIGGERS]) await sql.raw(statements).execute(db)
}

const TABLES = `
create table person_erasure (
  id uuid primary key default gen_random_uuid(),
  -- Number in the pseudonym, such as 7 in erased-7@erased.invalid.
  number bigint not null unique generated always as identity,
  -- Null: the erasure covers the whole portal. Otherwise it covers only the account and rows of this organisation.
  organisation_id uuid references organisation (id),
  -- Null once the erasure is done.
  email text check (email = lower(email)),
  asked_by text not null,
  asked_at timestamptz not null default portal_now(),
  tried_at timestamptz,
  -- Reason why the erasure waits.
  problem text,
  done_at timestamptz,
  -- Number of rows by table.
  report jsonb,
  check ((done_at is null) = (email is not null)),
  check ((done_at is null) = (report is null))
);
create unique index person_erasure_pending on person_erasure (email) where done_at is null;
create index person_erasure_organisation on person_erasure (organisation_id, asked_at);

-- Signed hash of an audit row after its personal data was replaced. The audit's key signs it. The seal still contains
-- the hash of the original row, so the chain does not change.
create table audit_erasure (
  audit_id bigint primary key references audit (id) on delete cascade,
  row_hash bytea not null check (length(row_hash) = 32),
  erased_at timestamptz not null,
  public_key bytea not null check (length(public_key) = 32),
  signature bytea not null check (length(signature) = 64)
);
`

// Triggers reject changes of these columns by the app. The database's owner performs an erasure and sets the parameter.
// The app's role could also set the parameter, so the trigger also checks the role.
const TRIGGERS = `
create function is_erasing(of_table oid) returns boolean language sql stable set search_path = public, pg_temp
return coalesce(current_setting('trainyard.erasing', true), '') = 'yes'
  and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = of_table);

drop trigger payment_request_kept on payment_request;
create trigger payment_request_kept before update on payment_request for each row
  when ((old.organisation_id, old.amount_paise, old.expires_at)
      is distinct from (new.organisation_id, new.amount_paise, new.expires_at)
    or ((old.about, old.asked_by) is distinct from (new.about, new.asked_by)
      and not is_erasing('payment_request'::regclass))
    or (old.cancelled_at is not null and new.cancelled_at is distinct from old.cancelled_at))
  execute function reject_payment_request_change();
drop trigger refund_forward on refund;
create trigger refund_forward before update on refund for each row
  when ((old.organisation_id, old.order_row, old.payment, old.amount_paise)
      is distinct from (new.organisation_id, new.order_row, new.payment, new.amount_paise)
    or ((old.reason, old.asked_by) is distinct from (new.reason, new.asked_by) and not is_erasing('refund'::regclass))
    or (old.state in ('processed', 'failed') and new.state <> old.state)
    or (old.number is not null and new.number is distinct from old.number))
  execute function reject_refund_change();
-- Replacing a learner's address by a pseudonym must not send an event.
drop trigger machine_webhooks on machine;
create trigger machine_webhooks after update on machine for each row
  when ((old.observed, old.email, old.first_seen_at is null, old.last_error is null, old.terminated_at is null)
    is distinct from
    (new.observed, new.email, new.first_seen_at is null, new.last_error is null, new.terminated_at is null)
    and not is_erasing('machine'::regclass))
  execute function record_machine_events();
`
