-- Notifications in the portal.

-- Triggers write the rows in the transaction of the event.
create table notification (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id) on delete cascade,
  training_id uuid,
  kind text not null check (
      kind in ('order.ready', 'machine.failed', 'budget.reached', 'budget.cap_reached', 'quota.reached',
        'hand.raised', 'invitation.bounced', 'request.sent', 'request.decided')
    ),
  -- 'class': admins of the organisation and instructors of the training.
  audience text not null check (audience in ('class', 'admins', 'superadmins', 'person')),
  -- The user that the event is about: the learner who raised a hand, the user who sent a request, or the invited
  -- user.
  about_user uuid,
  data jsonb not null,
  created_at timestamptz not null default portal_now(),
  constraint notification_check check (
      about_user is not null
      or kind not in ('hand.raised', 'invitation.bounced', 'request.sent', 'request.decided')
    ),
  constraint notification_check1 check ((audience = 'person') = (kind = 'request.decided')),
  constraint notification_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id) on delete cascade,
  constraint notification_about_user_organisation_id_fkey foreign key (about_user, organisation_id)
    references portal_user (id, organisation_id) on delete cascade
);
create index notification_about on notification (about_user);
create index notification_created on notification (created_at);
create index notification_organisation on notification (organisation_id, created_at desc);
create index notification_superadmins on notification (created_at desc) where audience = 'superadmins';

-- Who has read a notification.
create table notification_read (
  notification_id uuid not null references notification (id) on delete cascade,
  user_id uuid not null references portal_user (id) on delete cascade,
  constraint notification_read_pkey primary key (notification_id, user_id)
);
create index notification_read_user on notification_read (user_id);

-- Writes a notification, unless a notification of the same kind about the same training and user is newer than the
-- interval. If another transaction has the lock, it writes the same notification, so this transaction writes none.
-- Waiting for the lock could deadlock, because both transactions have locked machines.
create function notify_once(within interval, organisation uuid, training uuid, event_kind text, receivers text, about uuid, content jsonb)
returns void language plpgsql set search_path = public, pg_temp as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', event_kind, training, about), 0)) then return; end if;
  if exists (select from notification where organisation_id = organisation and training_id is not distinct from training
    and kind = event_kind and about_user is not distinct from about and created_at > portal_now() - within)
    then return; end if;
  insert into notification (organisation_id, training_id, kind, audience, about_user, data)
    values (organisation, training, event_kind, receivers, about, content);
end $$;

-- Writes the notification of an event if any user receives it.
create function record_notification(organisation uuid, event_type text, content jsonb)
returns void language plpgsql set search_path = public, pg_temp as $$
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
