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

-- Only `insertEvents` and `insertTestEvent` write this table.
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

-- Only `insertEvents` and `insertTestEvent` write this table.
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
