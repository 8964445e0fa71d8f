import { type Kysely, sql } from 'kysely'

/**
 * Removes deactivated users from waiting lists. The events of a withheld document wait until its registration is
 * recorded.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(LEAVERS).execute(db)
  await sql.raw(DOCUMENTS).execute(db)
}

// A deactivated user does not reserve a seat and gets no machine.
const LEAVERS = `
create function remove_waiting_registrations() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  delete from registration where user_id = new.id and state in ('pending', 'waiting');
  return null;
end $$;
create trigger portal_user_waiting_registrations after update of deactivated_at on portal_user for each row
  when (old.deactivated_at is null and new.deactivated_at is not null)
  execute function remove_waiting_registrations();
delete from registration using portal_user u
  where u.id = user_id and u.deactivated_at is not null and state in ('pending', 'waiting');
`

const DOCUMENTS = `
create function record_entry_event_of(entry ledger_entry) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  event_type text := case entry.kind when 'invoice' then 'invoice.issued' when 'invoice reversal' then 'invoice.reversed'
    when 'payment' then case entry.source when 'issued' then 'invoice.credited' else 'payment.received' end
    when 'refund' then 'payment.refunded' when 'payment reversal' then 'payment.reversed' end;
begin
  if event_type is null then return; end if;
  perform record_webhook_event(entry.organisation_id, event_type, 'account:' || entry.organisation_id,
    jsonb_build_object('number', entry.reference, 'amountPaise', entry.amount_paise, 'date', entry.date,
      'refersTo', coalesce(entry.refund_of, entry.reverses, entry.settles)));
end $$;

-- The event of a document's entry is written when the document is written.
create or replace function record_entry_event() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if new.source <> 'issued' then perform record_entry_event_of(new); end if;
  return null;
end $$;

create function record_document_event() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  document uuid := case tg_table_name when 'tax_document' then to_jsonb(new)->>'id'
    else to_jsonb(new)->>'document_id' end;
  entry ledger_entry;
begin
  select e.* into entry from tax_document d join ledger_entry e on e.organisation_id = d.organisation_id
      and e.kind = d.entry_kind and e.reference = d.number
    where d.id = document and d.needs_registration = (tg_table_name = 'tax_document_registration');
  if found then perform record_entry_event_of(entry); end if;
  return null;
end $$;
create trigger tax_document_webhooks after insert on tax_document for each row execute function record_document_event();
create trigger tax_document_registration_webhooks after insert on tax_document_registration for each row
  execute function record_document_event();
`
