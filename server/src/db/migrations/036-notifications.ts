import { type Kysely, sql } from 'kysely'

/** Events that users see in the portal, read or unread. See docs/decisions/239-notifications.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of [TABLES, RECORD, EVENTS, OTHERS]) await sql.raw(statements).execute(db)
}

const TABLES = `
create table notification (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisation (id) on delete cascade,
  training_id uuid,
  kind text not null check (kind in ('order.ready', 'machine.failed', 'budget.reached', 'budget.cap_reached',
    'quota.reached', 'hand.raised', 'invitation.bounced', 'request.sent', 'request.decided')),
  -- 'class': admins of the organisation and instructors of the training.
  audience text not null check (audience in ('class', 'admins', 'superadmins', 'person')),
  -- The user that the event is about: the learner who raised a hand, the user who sent a request, or the invited user.
  about_user uuid,
  data jsonb not null,
  created_at timestamptz not null default portal_now(),
  foreign key (training_id, organisation_id) references training (id, organisation_id) on delete cascade,
  foreign key (about_user, organisation_id) references portal_user (id, organisation_id) on delete cascade,
  check (about_user is not null
    or kind not in ('hand.raised', 'invitation.bounced', 'request.sent', 'request.decided')),
  check ((audience = 'person') = (kind = 'request.decided'))
);
create index notification_organisation on notification (organisation_id, created_at desc);
create index notification_superadmins on notification (created_at desc) where audience = 'superadmins';
create index notification_about on notification (about_user);
create index notification_created on notification (created_at);

create table notification_read (
  notification_id uuid not null references notification on delete cascade,
  user_id uuid not null references portal_user on delete cascade,
  primary key (notification_id, user_id)
);
create index notification_read_user on notification_read (user_id);

create function notify_of_notification() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('notified', case new.audience when 'superadmins' then 'superadmins' else new.organisation_id::text end);
  return null;
end $$;
create trigger notification_added after insert on notification for each row execute function notify_of_notification();

-- Deletes notifications about a user whose role or organisation changes, and the records of which notifications the
-- user has read.
create function remove_notifications() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from notification where about_user = old.id;
  delete from notification_read where user_id = old.id;
  return new;
end $$;
create trigger portal_user_notifications before update of role, organisation_id on portal_user for each row
  when (new.role is distinct from old.role or new.organisation_id is distinct from old.organisation_id)
  execute function remove_notifications();
`

const RECORD = `
-- Writes a notification, unless a notification of the same kind about the same training and user is newer than the
-- interval. If another transaction has the lock, it writes the same notification, so this transaction writes none.
-- Waiting for the lock could deadlock, because both transactions have locked machines.
create function notify_once(within interval, organisation uuid, training uuid, event_kind text, receivers text,
  about uuid, content jsonb) returns void language plpgsql set search_path = public, pg_temp as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', event_kind, training, about), 0)) then return; end if;
  if exists (select from notification where organisation_id = organisation and training_id is not distinct from training
    and kind = event_kind and about_user is not distinct from about and created_at > portal_now() - within)
    then return; end if;
  insert into notification (organisation_id, training_id, kind, audience, about_user, data)
    values (organisation, training, event_kind, receivers, about, content);
end $$;

-- Writes the notification of an event if any user receives it.
create function record_notification(organisation uuid, event_type text, content jsonb) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  training uuid := (content->'training'->>'id')::uuid;
  learner uuid;
begin
  case event_type
    when 'order.ready' then
      insert into notification (organisation_id, training_id, kind, audience, data)
        values (organisation, training, event_type, 'class',
          jsonb_build_object('template', content->'template', 'machines', content->'machines'));
    when 'machine.failed' then
      -- If the provider has no capacity, all machines of a class fail for the same reason.
      perform notify_once(interval '1 hour', organisation, training, event_type, 'class', null,
        jsonb_build_object('machine', content->'machine'->'name', 'reason', left(content->>'reason', 500)));
    when 'budget.reached', 'budget.cap_reached', 'quota.reached' then
      insert into notification (organisation_id, training_id, kind, audience, data)
        values (organisation, training, event_type, 'admins', content - 'training');
    when 'hand.raised' then
      select id into learner from portal_user
        where email = content->>'learner' and organisation_id = organisation;
      if learner is not null then
        perform notify_once(interval '1 minute', organisation, training, event_type, 'class', learner,
          jsonb_build_object('reason', content->'reason'));
      end if;
    else null;
  end case;
end $$;
`

/** Functions that record webhook events, which now record notifications too. */
const EVENTS = `
create or replace function record_webhook_event(organisation uuid, event_type text, about text, content jsonb)
returns void language plpgsql set search_path = public, pg_temp as $$
declare
  receivers uuid[] := array(select e.id from webhook_endpoint e where e.organisation_id = organisation
    and e.disabled_at is null and (e.events = '{}' or event_type = any (e.events)) order by e.id);
begin
  perform record_notification(organisation, event_type, content);
  if receivers = '{}' then return; end if;
  perform deliver_webhook_event(organisation, event_type, about, content, receivers);
end $$;

create or replace function record_machine_events() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  about text := 'machine:' || new.id;
  content jsonb;
  failed boolean := old.last_error is null and new.last_error is not null and new.terminated_at is null;
begin
  if not failed
    and not exists (select from webhook_endpoint where organisation_id = new.organisation_id and disabled_at is null)
    then return null; end if;
  content := jsonb_build_object('machine', jsonb_build_object('id', new.id, 'name', new.name),
    'training', webhook_training(new.training_id), 'learner', new.email);
  if old.email <> new.email then
    perform record_webhook_event(new.organisation_id, 'machine.assigned', about,
      content || jsonb_build_object('formerLearner', old.email));
  end if;
  if old.first_seen_at is null and new.first_seen_at is not null then
    perform record_webhook_event(new.organisation_id, 'machine.created', about, content);
  end if;
  if old.observed <> 'running' and new.observed = 'running' then
    perform record_webhook_event(new.organisation_id, 'machine.started', about, content);
  end if;
  if old.observed <> 'stopped' and new.observed = 'stopped' then
    perform record_webhook_event(new.organisation_id, 'machine.stopped', about, content);
  end if;
  if failed then
    perform record_webhook_event(new.organisation_id, 'machine.failed', about,
      content || jsonb_build_object('reason', new.last_error));
  end if;
  if old.terminated_at is null and new.terminated_at is not null then
    perform record_webhook_event(new.organisation_id, 'machine.deleted', about, content);
  end if;
  return null;
end $$;
`

/** Events that no webhook receives. */
const OTHERS = `
-- Learners choose the reason after they have raised the hand.
create function record_hand_reason() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  update notification set data = jsonb_build_object('reason', new.reason)
    where organisation_id = new.organisation_id and training_id = new.training_id and kind = 'hand.raised'
      and created_at >= new.raised_at and about_user = (select id from portal_user
        where email = new.email and organisation_id = new.organisation_id);
  return null;
end $$;
create trigger raised_hand_reason after update of reason on raised_hand for each row
  when (old.reason is distinct from new.reason) execute function record_hand_reason();

create function record_bounce() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  invited portal_user;
  training uuid;
begin
  select * into invited from portal_user where id = new.user_id;
  -- Superadmins belong to no organisation. Their invitations are listed on the System Admin Panel.
  if invited.organisation_id is null then return null; end if;
  select m.training_id into training from machine m where m.email = invited.email
      and m.organisation_id = invited.organisation_id and m.terminated_at is null
    order by m.created_at desc limit 1;
  insert into notification (organisation_id, training_id, kind, audience, about_user, data)
    values (invited.organisation_id, training, 'invitation.bounced',
      case invited.role when 'user' then 'class' else 'superadmins' end, invited.id,
      jsonb_build_object('email', invited.email, 'reason', new.bounce));
  return null;
end $$;
create trigger invitation_bounced after update of bounced_at on invitation for each row
  when (old.bounced_at is null and new.bounced_at is not null) execute function record_bounce();

create function record_change_request() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  content jsonb := jsonb_strip_nulls(jsonb_build_object('kind', new.kind, 'minutes', new.minutes,
    'machine', (select name from machine where id = new.machine_id),
    'training', (select name from training where id = new.training_id), 'email', new.email));
begin
  if tg_op = 'INSERT' then
    insert into notification (organisation_id, training_id, kind, audience, about_user, data)
      values (new.organisation_id, new.training_id, 'request.sent',
        case new.kind when 'hours' then 'class' else 'superadmins' end, new.asked_by,
        jsonb_build_object('request', content, 'why', new.reason));
  else
    insert into notification (organisation_id, training_id, kind, audience, about_user, data)
      values (new.organisation_id, new.training_id, 'request.decided', 'person', new.asked_by,
        jsonb_build_object('request', content, 'approved', new.state = 'approved', 'answer', new.answer));
  end if;
  return null;
end $$;
create trigger change_request_sent after insert on change_request for each row execute function record_change_request();
create trigger change_request_decided after update of state on change_request for each row
  when (old.state = 'open' and new.state in ('approved', 'refused')) execute function record_change_request();
`
