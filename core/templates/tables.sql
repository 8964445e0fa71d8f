-- Templates and what the provider offers.

-- Shown as "VM card" on screen.
create table template (
  id uuid default gen_random_uuid() primary key,
  name text not null unique check (name = btrim(name) and name <> ''),
  rate_paise bigint not null check (rate_paise >= 0),
  resource_group text not null,
  location text not null,
  vnet text not null,
  vm_size text not null,
  image_id text not null,
  os text not null check (os in ('Windows', 'Linux')),
  licence text not null check (licence in ('Windows_Server', 'none')),
  plan_publisher text,
  plan_product text,
  plan_version text,
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
  disk_sku text not null default 'StandardSSD_LRS' check (
      disk_sku in ('Standard_LRS', 'StandardSSD_LRS', 'StandardSSD_ZRS', 'Premium_LRS', 'Premium_ZRS')
    ),
  -- Resource ID of a disk encryption set; null: Azure's own keys encrypt the disk.
  disk_encryption_set text check (disk_encryption_set <> ''),
  encryption_at_host boolean not null default false,
  boot_diagnostics boolean not null default false,
  constraint template_check check (licence = 'none' or os = 'Windows'),
  constraint template_check1 check (num_nulls(plan_publisher, plan_product, plan_version) in (0, 3))
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
  location text primary key,
  looked_at timestamptz not null
);

-- Sizes that the provider offers in a place, as a worker last read them.
create table cloud_size (
  location text not null references cloud_place (location) on delete cascade,
  size text not null,
  family text not null,
  cores integer not null check (cores > 0),
  -- The provider's reason why the size is not offered; null: it is offered.
  withheld text,
  memory_mb integer check (memory_mb > 0),
  constraint cloud_size_pkey primary key (location, size)
);

-- Quotas of the provider in a place, as a worker last read them.
create table cloud_limit (
  location text not null references cloud_place (location) on delete cascade,
  -- 'cores' for the total, or a family of sizes.
  family text not null,
  used integer not null check (used >= 0),
  allowed integer not null check (allowed >= 0),
  constraint cloud_limit_pkey primary key (location, family)
);

-- Terms of marketplace images, as a worker last read them.
create table cloud_terms (
  publisher text not null,
  product text not null,
  plan text not null,
  accepted boolean not null,
  looked_at timestamptz not null,
  constraint cloud_terms_pkey primary key (publisher, product, plan)
);
