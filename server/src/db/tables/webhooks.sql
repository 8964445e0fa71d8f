-- Webhooks.

-- Addresses of an organisation that receive events.
create table webhook_endpoint (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id) on delete cascade,
  url text not null check (url ~ '^https?://'),
  description text not null,
  -- Types of events that the endpoint receives; empty: all types.
  events text[] not null,
  -- Encrypted. Until former_until, deliveries are also signed with the former secret.
  secret bytea not null,
  former_secret bytea,
  former_until timestamptz,
  created_at timestamptz not null default portal_now(),
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('user', 'gone', 'failing')),
  -- Time since which every attempt has failed.
  failing_since timestamptz,
  constraint webhook_endpoint_check check ((former_secret is null) = (former_until is null)),
  constraint webhook_endpoint_check1 check ((disabled_at is null) = (disabled_reason is null)),
  constraint webhook_endpoint_id_organisation_id_key unique (id, organisation_id)
);
create index webhook_endpoint_organisation on webhook_endpoint (organisation_id);

-- Only the SQL function `deliver_webhook_event` writes this table.
create table webhook_event (
  -- Value of the header webhook-id.
  id uuid default gen_random_uuid() primary key,
  -- Order of the events of a resource. The row of the resource is locked while an event is written.
  sequence bigint generated always as identity not null unique,
  organisation_id uuid not null references organisation (id) on delete cascade,
  type text not null,
  resource text not null,
  data jsonb not null,
  created_at timestamptz not null default portal_now(),
  constraint webhook_event_id_organisation_id_key unique (id, organisation_id)
);
create index webhook_event_created on webhook_event (created_at);

-- Only the SQL function `deliver_webhook_event` writes this table.
create table webhook_delivery (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  -- Copied from the event.
  sequence bigint not null,
  resource text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  -- Number of attempts since the delivery was written or sent again. The next column is the start of the first of
  -- these attempts.
  attempts integer not null default 0 check (attempts >= 0),
  first_attempt_at timestamptz,
  constraint webhook_delivery_id_organisation_id_key unique (id, organisation_id),
  constraint webhook_delivery_endpoint_id_event_id_key unique (endpoint_id, event_id),
  constraint webhook_delivery_event_id_organisation_id_fkey foreign key (event_id, organisation_id)
    references webhook_event (id, organisation_id) on delete cascade,
  constraint webhook_delivery_endpoint_id_organisation_id_fkey foreign key (endpoint_id, organisation_id)
    references webhook_endpoint (id, organisation_id) on delete cascade
);
create index webhook_delivery_event on webhook_delivery (event_id);
create index webhook_delivery_newest on webhook_delivery (endpoint_id, sequence desc);
create index webhook_delivery_pending on webhook_delivery (endpoint_id, resource, sequence) where state = 'pending';

-- Pending deliveries of one resource to one endpoint. Writers of events and the worker lock this row. A pending
-- delivery always has such a row, and only one delivery of the row is sent at a time.
create table webhook_lane (
  endpoint_id uuid not null,
  resource text not null,
  organisation_id uuid not null,
  due_at timestamptz not null default portal_now(),
  leased_until timestamptz,
  fence bigint not null default 0,
  constraint webhook_lane_pkey primary key (endpoint_id, resource),
  constraint webhook_lane_endpoint_id_organisation_id_fkey foreign key (endpoint_id, organisation_id)
    references webhook_endpoint (id, organisation_id) on delete cascade
);
create index webhook_lane_due on webhook_lane (due_at);
create index webhook_lane_leased on webhook_lane (leased_until) where leased_until is not null;
create index webhook_lane_next on webhook_lane (endpoint_id, due_at);

-- Attempts to deliver an event, with the status of the receiver.
create table webhook_attempt (
  id bigint generated always as identity primary key,
  delivery_id uuid not null,
  organisation_id uuid not null,
  at timestamptz not null default portal_now(),
  milliseconds integer not null check (milliseconds >= 0),
  request_headers jsonb not null,
  -- null: there was no reply.
  status integer,
  response_headers jsonb,
  response_body text,
  error text,
  constraint webhook_attempt_check check ((status is null) = (error is not null)),
  constraint webhook_attempt_check1 check (
      ((status is null) = (response_headers is null))
      and ((status is null) = (response_body is null))
    ),
  constraint webhook_attempt_delivery_id_organisation_id_fkey foreign key (delivery_id, organisation_id)
    references webhook_delivery (id, organisation_id) on delete cascade
);
create index webhook_attempt_delivery on webhook_attempt (delivery_id, id);

create function deliver_webhook_event(organisation uuid, event_type text, about text, content jsonb, receivers uuid[])
returns uuid language plpgsql set search_path = public, pg_temp as $$
declare event webhook_event;
begin
  insert into webhook_event (organisation_id, type, resource, data)
    values (organisation, event_type, about, content) returning * into event;
  insert into webhook_delivery (organisation_id, event_id, endpoint_id, sequence, resource)
    select organisation, event.id, receiver, event.sequence, about from unnest(receivers) as receiver;
  -- The update locks the row if it exists: see the comment of the table.
  insert into webhook_lane as lane (endpoint_id, resource, organisation_id)
    select receiver, about, organisation from unnest(receivers) as receiver order by receiver
    on conflict (endpoint_id, resource) do update set due_at = lane.due_at;
  return event.id;
end $$;

create function record_machine_events() returns trigger language plpgsql set search_path = public, pg_temp as $$
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

-- Writes an event, and a delivery to each endpoint that receives this type of event. Writes nothing if there is no
-- such endpoint.
create function record_webhook_event(organisation uuid, event_type text, about text, content jsonb)
returns void language plpgsql set search_path = public, pg_temp as $$
declare
  receivers uuid[] := array(select e.id from webhook_endpoint e where e.organisation_id = organisation
    and e.disabled_at is null and (e.events = '{}' or event_type = any (e.events)) order by e.id);
begin
  perform record_notification(organisation, event_type, content);
  if receivers = '{}' then return; end if;
  perform deliver_webhook_event(organisation, event_type, about, content, receivers);
end $$;

create function webhook_training(wanted uuid) returns jsonb stable set search_path = public, pg_temp
return (select jsonb_build_object('id', id, 'name', name) from training where id = wanted);

create trigger machine_webhooks after update on machine for each row
  when (((((old.observed is distinct from new.observed
    or old.email is distinct from new.email)
    or ((old.first_seen_at is null) is distinct from (new.first_seen_at is null)))
    or ((old.last_error is null) is distinct from (new.last_error is null)))
    or ((old.terminated_at is null) is distinct from (new.terminated_at is null)))
    and (not is_erasing(('machine'::regclass)::oid)))
  execute function record_machine_events();
