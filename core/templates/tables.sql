-- Templates and what the provider offers.

-- Shown as "VM card" on screen.
create table template (
  id uuid default gen_random_uuid() primary key,
  name text not null unique check (name = btrim(name) and name <> ''),
  rate_paise bigint not null check (rate_paise >= 0),
  -- Name of the provider, whose own values `place`, `size` and `image` are. See contract/provider.ts.
  provider text not null,
  place jsonb not null,
  size jsonb not null,
  image jsonb not null,
  location text not null generated always as (place ->> 'location') stored,
  size_name text not null generated always as (size ->> 'name') stored,
  image_id text not null generated always as (image ->> 'id') stored,
  os text not null check (os in ('Windows', 'Linux')),
  licence text not null check (licence in ('Windows_Server', 'none')),
  cpu text not null,
  memory text not null,
  storage text not null,
  disk text not null,
  created_at timestamptz not null default portal_now(),
  -- Reason why the provider rejected the last order; null: the last order was not rejected.
  refusal text,
  -- Number of changes, so that an edit cannot overwrite a concurrent one.
  revision integer not null default 1 check (revision > 0),
  address_kind text not null default 'public address' check (address_kind in ('public address', 'private address')),
  -- Tags of the template. The organisation's tags are added when a resource is created.
  azure_tags jsonb not null default '{}'::jsonb check (jsonb_typeof(azure_tags) = 'object'),
  constraint template_check check (licence = 'none' or os = 'Windows'),
  constraint template_check1 check (place ? 'group')
);
create unique index template_name_any_case on template (comparison_key(name));

-- Which organisations may order a template.
create table template_assignment (
  organisation_id uuid not null references organisation (id) on delete cascade,
  template_id uuid not null references template (id) on delete cascade,
  created_at timestamptz not null default portal_now(),
  constraint template_assignment_pkey primary key (organisation_id, template_id)
);
create index template_assignment_template on template_assignment (template_id);

-- Regions and sizes that the cloud offers, and quotas. They are read periodically, so that the portal can refuse an
-- impossible order at once.
create table cloud_place (
  provider text not null,
  location text not null,
  looked_at timestamptz not null,
  constraint cloud_place_pkey primary key (provider, location)
);

-- Sizes that the provider offers in a place, as a worker last read them.
create table cloud_size (
  provider text not null,
  location text not null,
  size text not null,
  family text not null,
  cores integer not null check (cores > 0),
  -- The provider's reason why the size is not offered; null: it is offered.
  withheld text,
  memory_mb integer check (memory_mb > 0),
  constraint cloud_size_pkey primary key (provider, location, size),
  constraint cloud_size_provider_location_fkey foreign key (provider, location)
    references cloud_place (provider, location) on delete cascade
);

-- Quotas of the provider in a place, as a worker last read them.
create table cloud_limit (
  provider text not null,
  location text not null,
  -- 'cores' for the total, or a family of sizes.
  family text not null,
  used integer not null check (used >= 0),
  allowed integer not null check (allowed >= 0),
  constraint cloud_limit_pkey primary key (provider, location, family),
  constraint cloud_limit_provider_location_fkey foreign key (provider, location)
    references cloud_place (provider, location) on delete cascade
);

-- Terms of images, as a worker last read them.
create table cloud_terms (
  provider text not null,
  image jsonb not null,
  -- The provider's reason why no machine may be created from the image; null: its terms are accepted.
  refusal text,
  looked_at timestamptz not null,
  constraint cloud_terms_pkey primary key (provider, image)
);
