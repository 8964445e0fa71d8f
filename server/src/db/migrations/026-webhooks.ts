import { type Kysely, sql } from 'kysely'

/**
 * Webhook endpoints of organisations and the outbox of their events. Triggers write an event in the transaction of the
 * change, so that no code path can change a state without writing the event.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statements of [TABLES, RECORD, MACHINES, OTHERS]) await sql.raw(statements).execute(db)
}

const TABLES = `
create table webhook_endpoint (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null references organisation on delete cascade,
  url text not null check (url ~ '^https?://' and char_length(url) <= 2000),
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
  unique (id, organisation_id),
  check ((former_secret is null) = (former_until is null)),
  check ((disabled_at is null) = (disabled_reason is null))
);
create index webhook_endpoint_organisation on webhook_endpoint (organisation_id);

create table webhook_event (
  -- Value of the header webhook-id.
  id uuid primary key default gen_random_uuid(),
  -- Order of the events of a resource. The row of the resource is locked while an event is written.
  sequence bigint not null unique generated always as identity,
  organisation_id uuid not null references organisation on delete cascade,
  type text not null,
  resource text not null,
  data jsonb not null,
  created_at timestamptz not null default portal_now(),
  unique (id, organisation_id)
);
create index webhook_event_created on webhook_event (created_at);

create table webhook_delivery (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  -- Copied from the event.
  sequence bigint not null,
  resource text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  -- Number of attempts since the delivery was written or sent again. The next column is the start of the first of these
  -- attempts.
  attempts integer not null default 0 check (attempts >= 0),
  first_attempt_at timestamptz,
  foreign key (event_id, organisation_id) references webhook_event (id, organisation_id) on delete cascade,
  foreign key (endpoint_id, organisation_id) references webhook_endpoint (id, organisation_id) on delete cascade,
  unique (id, organisation_id),
  unique (endpoint_id, event_id)
);
create index webhook_delivery_pending on webhook_delivery (endpoint_id, resource, sequence) where state = 'pending';
create index webhook_delivery_newest on webhook_delivery (endpoint_id, sequence desc);
create index webhook_delivery_event on webhook_delivery (event_id);

-- Pending deliveries of one resource to one endpoint. Writers of events and the worker lock this row. A pending
-- delivery always has such a row, and only one delivery of the row is sent at a time.
create table webhook_lane (
  endpoint_id uuid not null,
  resource text not null,
  organisation_id uuid not null,
  due_at timestamptz not null default portal_now(),
  leased_until timestamptz,
  fence bigint not null default 0,
  primary key (endpoint_id, resource),
  foreign key (endpoint_id, organisation_id) references webhook_endpoint (id, organisation_id) on delete cascade
);
create index webhook_lane_due on webhook_lane (due_at);
create index webhook_lane_next on webhook_lane (endpoint_id, due_at);
create index webhook_lane_leased on webhook_lane (leased_until) where leased_until is not null;

create table webhook_attempt (
  id bigint primary key generated always as identity,
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
  foreign key (delivery_id, organisation_id) references webhook_delivery (id, organisation_id) on delete cascade,
  check ((status is null) = (error is not null)),
  check ((status is null) = (response_headers is null) and (status is null) = (response_body is null))
);
create index webhook_attempt_delivery on webhook_attempt (delivery_id, id);

-- Time at which all machines of the order had been created.
alter table machine_order add column ready_at timestamptz;
update machine_order set ready_at = created_at;
create index machine_order_unready on machine_order (id) where ready_at is null;
`

const RECORD = `
-- Writes an event, and a delivery to each endpoint that receives this type of event. Writes nothing if there is no such
-- endpoint.
create function record_webhook_event(organisation uuid, event_type text, about text, content jsonb) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  receivers uuid[] := array(select e.id from webhook_endpoint e where e.organisation_id = organisation
    and e.disabled_at is null and (e.events = '{}' or event_type = any (e.events)) order by e.id);
begin
  if receivers = '{}' then return; end if;
  perform deliver_webhook_event(organisation, event_type, about, content, receivers);
end $$;

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

create function webhook_training(wanted uuid) returns jsonb language sql stable set search_path = public, pg_temp
return (select jsonb_build_object('id', id, 'name', name) from training where id = wanted);
`

const MACHINES = `
create function record_machine_events() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  about text := 'machine:' || new.id;
  content jsonb;
begin
  if not exists (select from webhook_endpoint where organisation_id = new.organisation_id and disabled_at is null)
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
  if old.last_error is null and new.last_error is not null and new.terminated_at is null then
    perform record_webhook_event(new.organisation_id, 'machine.failed', about,
      content || jsonb_build_object('reason', new.last_error));
  end if;
  if old.terminated_at is null and new.terminated_at is not null then
    perform record_webhook_event(new.organisation_id, 'machine.deleted', about, content);
  end if;
  return null;
end $$;
create trigger machine_webhooks after update on machine for each row
  when ((old.observed, old.email, old.first_seen_at is null, old.last_error is null, old.terminated_at is null)
    is distinct from
    (new.observed, new.email, new.first_seen_at is null, new.last_error is null, new.terminated_at is null))
  execute function record_machine_events();

create function record_order_event() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  content jsonb := jsonb_build_object('order', jsonb_build_object('id', new.id),
    'training', webhook_training(new.training_id), 'template', new.template_name, 'machines', new.machine_count);
begin
  if tg_op = 'INSERT' then
    perform record_webhook_event(new.organisation_id, 'order.created', 'order:' || new.id,
      content || jsonb_build_object('orderedBy', new.ordered_by));
  else
    perform record_webhook_event(new.organisation_id, 'order.ready', 'order:' || new.id, content);
  end if;
  return null;
end $$;
create trigger machine_order_webhooks after insert on machine_order for each row execute function record_order_event();
create trigger machine_order_ready_webhooks after update of ready_at on machine_order for each row
  when (old.ready_at is null and new.ready_at is not null) execute function record_order_event();
`

const OTHERS = `
create function record_training_event() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform record_webhook_event(new.organisation_id,
    case when tg_op = 'INSERT' then 'training.created' when new.removed_at is not null then 'training.removed'
      else 'training.restored' end,
    'training:' || new.id, jsonb_build_object('training', jsonb_build_object('id', new.id, 'name', new.name)));
  return null;
end $$;
create trigger training_webhooks after insert on training for each row execute function record_training_event();
create trigger training_removed_webhooks after update of removed_at on training for each row
  when ((old.removed_at is null) <> (new.removed_at is null)) execute function record_training_event();

create function record_threshold_event() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  content jsonb := jsonb_build_object('training', webhook_training(new.training_id), 'percent', new.percent);
begin
  perform record_webhook_event(new.organisation_id, new.kind || '.reached',
    new.kind || ':' || coalesce(new.training_id, new.organisation_id),
    content || case new.kind when 'budget' then jsonb_build_object('usedPaise', new.used, 'budgetPaise', new.total)
      else jsonb_build_object('usedMinutes', new.used, 'allottedMinutes', new.total) end);
  return null;
end $$;
create trigger budget_alert_webhooks after insert on budget_alert for each row
  execute function record_threshold_event();

create function record_cap_event() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform record_webhook_event(new.organisation_id, 'budget.cap_reached',
    'budget:' || coalesce(new.training_id, new.organisation_id),
    jsonb_build_object('training', webhook_training(new.training_id), 'budgetPaise', new.amount_paise));
  return null;
end $$;
create trigger budget_cap_webhooks after update of cap_reached_at on budget for each row
  when (old.cap_reached_at is null and new.cap_reached_at is not null) execute function record_cap_event();

-- A credit note is entered as a payment whose source is 'issued'.
create function record_entry_event() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  event_type text := case new.kind when 'invoice' then 'invoice.issued' when 'invoice reversal' then 'invoice.reversed'
    when 'payment' then case new.source when 'issued' then 'invoice.credited' else 'payment.received' end
    when 'refund' then 'payment.refunded' when 'payment reversal' then 'payment.reversed' end;
begin
  if event_type is null then return null; end if;
  perform record_webhook_event(new.organisation_id, event_type, 'account:' || new.organisation_id,
    jsonb_build_object('number', new.reference, 'amountPaise', new.amount_paise, 'date', new.date,
      'refersTo', coalesce(new.refund_of, new.reverses, new.settles)));
  return null;
end $$;
create trigger ledger_entry_webhooks after insert on ledger_entry for each row execute function record_entry_event();

create function record_hand_event() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  hand raised_hand := coalesce(new, old);
  content jsonb := jsonb_build_object('training', webhook_training(hand.training_id), 'learner', hand.email);
begin
  perform record_webhook_event(hand.organisation_id,
    case tg_op when 'INSERT' then 'hand.raised' else 'hand.lowered' end,
    'hand:' || hand.training_id || ':' || hand.email,
    case tg_op when 'INSERT' then content || jsonb_build_object('reason', hand.reason) else content end);
  return null;
end $$;
create trigger raised_hand_webhooks after insert or delete on raised_hand for each row
  execute function record_hand_event();
`
