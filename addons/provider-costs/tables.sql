-- Bills of the provider.

-- A bill of a provider, imported month by month.
create table cost_import (
  id uuid default gen_random_uuid() primary key,
  file_names text[] not null,
  -- Number of parts in which each file is uploaded.
  file_parts integer[] not null,
  -- True: unreadable lines are skipped. False: they reject the import.
  leave_out_bad boolean not null,
  made_by text not null,
  made_at timestamptz not null default portal_now(),
  state text not null default 'receiving' check (state in ('receiving', 'waiting', 'done', 'same', 'refused')),
  -- Lines read so far.
  lines_read integer not null default 0,
  -- Number of imported lines. cost_line contains only the lines that no newer export replaced.
  line_count integer not null default 0,
  bad_count integer not null default 0,
  bad_lines jsonb not null default '[]'::jsonb,
  -- Hash of the uncompressed files.
  digest text,
  format text,
  summary jsonb,
  refusal text,
  ended_at timestamptz,
  constraint cost_import_check check (cardinality(file_parts) = cardinality(file_names)),
  constraint cost_import_check1 check ((state in ('done', 'same', 'refused')) = (ended_at is not null)),
  constraint cost_import_check2 check ((refusal is not null) = (state = 'refused'))
);
create index cost_import_newest on cost_import (made_at desc);
create index cost_import_waiting on cost_import (made_at) where state in ('receiving', 'waiting');

-- The files of an import.
create table cost_import_part (
  import_id uuid not null references cost_import (id) on delete cascade,
  file integer not null check (file >= 0),
  place integer not null check (place >= 0),
  bytes bytea not null,
  constraint cost_import_part_pkey primary key (import_id, file, place)
);

-- A resource named in a bill, with the machine or sandbox that it belongs to.
create table cost_resource (
  id bigint generated always as identity primary key,
  provider text not null check (provider in ('azure', 'aws')),
  -- The provider's ID in lower case, because providers ignore case.
  key text not null,
  name text not null,
  kind text not null,
  resource_group text,
  -- The portal's tag on the newest tagged line of the resource.
  tag text check (tag in ('machine', 'sandbox', 'image', 'shared')),
  tag_value text,
  constraint cost_resource_check check (tag_value is null or tag is not null),
  constraint cost_resource_provider_key_key unique (provider, key)
);
create index cost_resource_tag on cost_resource (tag, tag_value) where tag_value is not null;

-- Cost of a resource on a day.
create table cost_line (
  import_id uuid not null references cost_import (id),
  file integer not null,
  line integer not null,
  -- The provider's ID of the line, if the line has one.
  identity text,
  provider text not null check (provider in ('azure', 'aws')),
  -- Subscription or account.
  account text not null,
  -- YYYY-MM-DD.
  period date not null,
  day date not null,
  kind text not null check (kind in ('usage', 'purchase', 'credit', 'tax', 'adjustment', 'unused')),
  -- ID of cost_resource; null: no resource. Resources are never deleted, so a foreign key would have no benefit.
  resource_id bigint,
  service text not null,
  cost numeric not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  constraint cost_line_pkey primary key (import_id, file, line)
);
create index cost_line_day on cost_line (day);
create unique index cost_line_identity on cost_line (import_id, identity) where identity is not null;
create index cost_line_replaced on cost_line (provider, account, period);
create index cost_line_resource on cost_line (resource_id, day) where resource_id is not null;

-- Assigns the cost of an unknown tag, or of a resource without a tag, to an organisation.
create table cost_adoption (
  provider text not null check (provider in ('azure', 'aws')),
  of text not null check (of in ('tag', 'resource')),
  value text not null,
  organisation_id uuid not null references organisation (id),
  training_id uuid,
  adopted_by text not null,
  adopted_at timestamptz not null default portal_now(),
  constraint cost_adoption_pkey primary key (provider, of, value),
  constraint cost_adoption_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id)
);
