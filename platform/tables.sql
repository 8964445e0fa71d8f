-- Tasks, jobs, replies and the audit of all modules.

-- Returns the key by which names and numbers are compared. `comparisonKey` of the contract returns the same key.
create function comparison_key(words text) returns text immutable strict parallel safe
return btrim(regexp_replace(
  normalize(replace(lower(normalize(
    regexp_replace(words,
      '[\u00AD\u034F\u180B-\u180D\u180F\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFE00-\uFE0F\uFEFF\U000E0100-\U000E01EF]', '', 'g'),
    NFKD)), 'ς', 'σ'), NFKC),
  ' +', ' ', 'g'));

-- The only clock of the portal. Tests change the time by redefining the function.
create function portal_now() returns timestamptz stable parallel safe
return now();

-- When each worker was last alive.
create table worker_pulse (
  worker text primary key,
  seen_at timestamptz not null
);

-- Last observed state of the services that only workers use: 'cloud', 'mail'.
create table part_state (
  part text primary key,
  up boolean not null,
  seen_at timestamptz not null default portal_now()
);

-- Background tasks that one worker runs at a time.
create table task (
  id uuid default gen_random_uuid() primary key,
  name text not null unique,
  -- Seconds between runs.
  every double precision not null,
  reconcile_at timestamptz default portal_now(),
  leased_until timestamptz,
  fence bigint not null default 0,
  generation bigint not null default 0,
  attempts integer not null default 0,
  last_error text,
  -- Start of the last run. While that run is in progress, ended_at is the end of the previous run.
  started_at timestamptz,
  ended_at timestamptz,
  -- Seconds between the time at which the run was due and its start.
  lag_seconds double precision
);

-- Background tasks that every worker runs.
create table task_on_worker (
  worker text not null references worker_pulse (worker) on delete cascade,
  name text not null,
  every double precision not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  lag_seconds double precision not null,
  last_error text,
  constraint task_on_worker_pkey primary key (worker, name)
);

-- Token buckets that pace the calls to a provider.
create unlogged table call_bucket (
  name text primary key,
  tokens double precision not null,
  counted_at timestamptz not null,
  closed_until timestamptz not null default '-infinity'::timestamp with time zone
);

-- Takes a token of the bucket and returns 0, or returns the seconds until a token is available.
create function take_token(bucket text, burst double precision, per_second double precision)
returns double precision language plpgsql as $$
declare
  b call_bucket;
  present timestamptz := portal_now();
  filled double precision;
begin
  insert into call_bucket (name, tokens, counted_at) values (bucket, burst, present) on conflict do nothing;
  select * into b from call_bucket where name = bucket for update;
  if b.closed_until > present then return extract(epoch from b.closed_until - present); end if;
  -- A transaction that started earlier can arrive here later, so counted_at must never decrease.
  filled := least(burst, b.tokens + greatest(0, extract(epoch from present - b.counted_at)) * per_second);
  update call_bucket set tokens = filled - case when filled >= 1 then 1 else 0 end,
    counted_at = greatest(b.counted_at, present) where name = bucket;
  return case when filled >= 1 then 0 else (1 - filled) / per_second end;
end $$;

-- One row per change, written in the transaction of the change. Insert-only.
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default portal_now(),
  request_id text not null,
  call text not null,
  actor_id uuid,
  actor_email text,
  actor_role text,
  organisation_id uuid,
  detail jsonb not null,
  -- IP address of the caller; null if the portal itself acted.
  address text,
  -- Code of the problem if the call was refused; null if it succeeded.
  refused text,
  before jsonb,
  after jsonb,
  -- Transaction that wrote the row. The hash chain uses it to detect rows of transactions that are still open.
  xid xid8 not null default pg_current_xact_id(),
  -- Words for the search, truncated for calls that name very many users.
  search_words tsvector generated always as (to_tsvector('simple'::regconfig,
    regexp_replace(lower("left"(((((((((((((coalesce(actor_email, '') || ' ') || call) || ' ') || coalesce(refused,
    '')) || ' ') || coalesce(address, '')) || ' ') || (detail)::text) || ' ') || coalesce((before)::text,
    '')) || ' ') || coalesce((after)::text, '')), 20000)), '[^[:alnum:]]+', ' ', 'g'))) stored not null
);
create index audit_call on audit (call, at, id);
create index audit_organisation on audit (organisation_id, at, id);
create index audit_organisation_call on audit (organisation_id, call, at, id);
create index audit_person on audit (actor_email, at, id);
create index audit_time on audit (at, id);
create index audit_words on audit using gin (search_words);
create index audit_xid on audit (xid, id);

-- Replies to calls with an idempotency key.
create table stored_reply (
  actor_id uuid not null,
  key text not null,
  call text not null,
  body_hash bytea not null,
  -- null only within the transaction of the call.
  reply jsonb,
  created_at timestamptz not null default portal_now(),
  constraint stored_reply_pkey primary key (actor_id, key)
);
create index stored_reply_age on stored_reply (created_at);
