import { type Kysely, sql } from 'kysely'

/** Imports from Azure Lab Services, and the labs that they read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table lab_import (
  id uuid primary key default gen_random_uuid(),
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
  -- Number of the current reading. A lab is missing if an earlier reading found it and the current reading did not.
  reading integer not null default 1 check (reading > 0),
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
  trace text,
  unique (id, organisation_id),
  check (kind = 'azure' or (client_secret is null and reconcile_at is null and read_at is not null)),
  check (num_nulls(tenant_id, client_id, client_secret) in (0, 3)),
  check (removed_at is null or (client_secret is null and reconcile_at is null))
);
create index lab_import_due on lab_import (reconcile_at) where reconcile_at is not null;
create index lab_import_organisation on lab_import (organisation_id, made_at);
create trigger trace_of_new before insert on lab_import for each row execute function record_trace();
create trigger trace_of_wanted before update on lab_import for each row
  when (new.generation is distinct from old.generation) execute function record_trace();

create table imported_lab (
  id uuid primary key default gen_random_uuid(),
  import_id uuid not null,
  organisation_id uuid not null,
  -- Resource ID in lower case. If two imports of an organisation contain the same lab, they share this row.
  resource_key text not null check (resource_key = lower(resource_key)),
  -- The lab as it was read, with all fields.
  source jsonb not null,
  -- Number of the reading that listed the lab, and number of the reading that read its users, schedules and machines.
  listed_in integer not null check (listed_in > 0),
  read_in integer check (read_in <= listed_in),
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
  foreign key (import_id, organisation_id) references lab_import (id, organisation_id) on delete cascade,
  foreign key (training_id, organisation_id) references training (id, organisation_id),
  foreign key (order_id, training_id, organisation_id) references machine_order (id, training_id, organisation_id),
  unique (organisation_id, resource_key),
  unique (id, organisation_id),
  check (num_nulls(training_id, applied, applied_at) in (0, 3)),
  check (num_nulls(class_at, moved_at, moved_by) in (0, 3)),
  -- null: the lab had no learners.
  check (order_id is null or moved_at is not null),
  check (moved_at is null or applied_at is not null)
);
create index imported_lab_import on imported_lab (import_id, listed_in);
-- A training belongs to at most one lab.
create unique index imported_lab_training on imported_lab (training_id) where training_id is not null;
`,
    )
    .execute(db)
}
