-- Ports of a training.

-- Ports that learners can reach on the machines of a training.
create table port (
  training_id uuid not null,
  organisation_id uuid not null,
  port integer not null check (port >= 1 and port <= 65535),
  -- Priority of the network security rule.
  priority integer not null check (priority >= 1001 and priority <= 4096),
  opened_at timestamptz not null default portal_now(),
  protocol text not null default 'TCP and UDP' check (protocol in ('TCP', 'UDP', 'TCP and UDP')),
  source text check (source = ((source)::cidr)::text),
  constraint port_pkey primary key (training_id, port),
  constraint port_training_id_priority_key unique (training_id, priority),
  constraint port_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id)
);

-- Network security group of a training in one container of a provider. Its rules follow the training's ports.
create table security_group (
  training_id uuid not null,
  organisation_id uuid not null,
  provider text not null,
  place jsonb not null,
  -- In small letters.
  place_group text not null generated always as (lower(place ->> 'group')) stored,
  reconcile_at timestamptz default portal_now(),
  leased_until timestamptz,
  fence bigint not null default 0,
  generation bigint not null default 0,
  attempts integer not null default 0,
  last_error text,
  -- The generation that the provider last matched; null: none yet.
  settled_generation bigint,
  id uuid not null default gen_random_uuid() unique,
  constraint security_group_pkey primary key (training_id, provider, place_group),
  constraint security_group_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id)
);
create index security_group_due on security_group (reconcile_at) where reconcile_at is not null;
