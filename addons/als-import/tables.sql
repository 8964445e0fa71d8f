-- Labs imported from Azure Lab Services.

-- An import of labs from Azure Lab Services, from an account or from files.
create table lab_import (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id),
  kind text not null check (kind in ('azure', 'files')),
  -- Subscription ID or file names.
  name text not null check (name = btrim(name) and name <> ''),
  tenant_id text,
  client_id text,
  -- Client secret, encrypted. null: the import uses the portal's own app registration, or files.
  client_secret bytea,
  made_by text not null,
  made_at timestamptz not null default portal_now(),
  -- Number of the reading.
  reading integer not null default 1 check (reading > 0),
  -- True once the labs of this reading are listed.
  listed boolean not null default false,
  labs_found integer not null default 0 check (labs_found >= 0),
  accounts_found integer not null default 0 check (accounts_found >= 0),
  read_at timestamptz,
  -- Time of the deletion. A deleted import has no credentials and no labs, and is never read again. Deleting it again
  -- has the same result.
  removed_at timestamptz,
  reconcile_at timestamptz,
  leased_until timestamptz,
  fence bigint not null default 0,
  generation bigint not null default 0,
  attempts integer not null default 0,
  last_error text,
  constraint lab_import_check check (
      kind = 'azure'
      or client_secret is null and reconcile_at is null and read_at is not null
    ),
  constraint lab_import_check1 check (num_nulls(tenant_id, client_id, client_secret) in (0, 3)),
  constraint lab_import_check2 check (removed_at is null or client_secret is null and reconcile_at is null),
  constraint lab_import_id_organisation_id_key unique (id, organisation_id)
);
create index lab_import_due on lab_import (reconcile_at) where reconcile_at is not null;
create index lab_import_organisation on lab_import (organisation_id, made_at);

-- A lab of an import with what it became here.
create table imported_lab (
  id uuid default gen_random_uuid() primary key,
  import_id uuid not null,
  organisation_id uuid not null,
  -- Resource ID in lower case. If two imports of an organisation contain the same lab, they share this row.
  resource_key text not null check (resource_key = lower(resource_key)),
  -- The lab as it was read, with all fields.
  source jsonb not null,
  -- Number of the reading that listed the lab, and number of the reading that read its users, schedules and machines.
  listed_in integer not null check (listed_in > 0),
  read_in integer,
  -- Choices of the user; null: the proposed value applies.
  training_name text check (training_name = btrim(training_name) and training_name <> ''),
  template_id uuid references template (id) on delete set null,
  usage_comes_along boolean not null default true,
  -- State after the last import; null: never imported, or rolled back.
  training_id uuid,
  applied jsonb,
  applied_at timestamptz,
  order_id uuid,
  class_at timestamptz,
  moved_at timestamptz,
  moved_by text,
  link_id uuid,
  constraint imported_lab_check check (read_in <= listed_in),
  constraint imported_lab_check1 check (num_nulls(training_id, applied, applied_at) in (0, 3)),
  constraint imported_lab_check2 check (num_nulls(class_at, moved_at, moved_by) in (0, 3)),
  constraint imported_lab_check3 check (order_id is null or moved_at is not null),
  constraint imported_lab_check4 check (moved_at is null or applied_at is not null),
  constraint imported_lab_organisation_id_resource_key_key unique (organisation_id, resource_key),
  constraint imported_lab_id_organisation_id_key unique (id, organisation_id),
  constraint imported_lab_check5 check (link_id is null or moved_at is not null),
  constraint imported_lab_import_id_organisation_id_fkey foreign key (import_id, organisation_id)
    references lab_import (id, organisation_id) on delete cascade,
  constraint imported_lab_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id),
  constraint imported_lab_order_id_training_id_organisation_id_fkey foreign key (order_id, training_id, organisation_id)
    references machine_order (id, training_id, organisation_id),
  constraint imported_lab_link_id_organisation_id_fkey foreign key (link_id, organisation_id)
    references registration_link (id, organisation_id) on delete set null (link_id)
);
create index imported_lab_import on imported_lab (import_id, listed_in);
create index imported_lab_link on imported_lab (link_id) where link_id is not null;
create unique index imported_lab_training on imported_lab (training_id) where training_id is not null;
