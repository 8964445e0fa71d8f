import { type Kysely, sql } from 'kysely'

/**
 * Adds webhook events of registrations and of their links, see 026-webhooks.ts. Every change of a seat locks its link.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of [REGISTRATIONS, LINKS]) await sql.raw(statements).execute(db)
}

const REGISTRATIONS = `
create function record_registration_event() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  about text := 'registration:' || new.link_id || ':' || new.user_id;
  content jsonb;
begin
  if not exists (select from webhook_endpoint where organisation_id = new.organisation_id and disabled_at is null)
    then return null; end if;
  select jsonb_build_object('link', jsonb_build_object('id', l.id, 'name', l.name),
    'training', webhook_training(l.training_id), 'learner', u.email) into content
  from registration_link l, portal_user u where l.id = new.link_id and u.id = new.user_id;
  case new.state
    when 'pending' then
      perform record_webhook_event(new.organisation_id, 'registration.requested', about, content);
    when 'waiting' then
      perform record_webhook_event(new.organisation_id, 'registration.waiting', about, content);
    when 'declined' then
      perform record_webhook_event(new.organisation_id, 'registration.declined', about,
        content || jsonb_build_object('decidedBy', new.decided_by));
    when 'seated' then
      if tg_op = 'UPDATE' and old.state in ('pending', 'declined') then
        perform record_webhook_event(new.organisation_id, 'registration.approved', about,
          content || jsonb_build_object('decidedBy', new.decided_by));
      end if;
      perform record_webhook_event(new.organisation_id, 'registration.seated', about, content);
  end case;
  return null;
end $$;
create trigger registration_webhooks after insert on registration for each row
  execute function record_registration_event();
create trigger registration_state_webhooks after update of state on registration for each row
  when (old.state <> new.state) execute function record_registration_event();
`

// The trigger runs once per statement, because one statement can fill several seats.
const LINKS = `
create function record_full_link(wanted uuid) returns void language plpgsql set search_path = public, pg_temp as $$
declare link registration_link;
begin
  select * into link from registration_link where id = wanted;
  if (select count(*) from registration where link_id = wanted and state = 'seated') < link.seats then return; end if;
  perform record_webhook_event(link.organisation_id, 'registration.link_full', 'registration_link:' || link.id,
    jsonb_build_object('link', jsonb_build_object('id', link.id, 'name', link.name),
      'training', webhook_training(link.training_id), 'seats', link.seats));
end $$;

create function record_filled_links() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform record_full_link(link_id) from (select distinct link_id from changed where state = 'seated') as filled;
  return null;
end $$;
create trigger registration_full_webhooks after insert on registration referencing new table as changed
  for each statement execute function record_filled_links();

create function record_refilled_links() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform record_full_link(link_id) from (select distinct changed.link_id from changed
    join former using (link_id, user_id) where changed.state = 'seated' and former.state <> 'seated') as filled;
  return null;
end $$;
create trigger registration_refull_webhooks after update on registration
  referencing old table as former new table as changed for each statement execute function record_refilled_links();

create function record_reduced_link() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform record_full_link(new.id);
  return null;
end $$;
create trigger registration_link_webhooks after update of seats on registration_link for each row
  when (new.seats < old.seats) execute function record_reduced_link();
`
