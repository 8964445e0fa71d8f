-- Organisations.

-- A customer: everything that people of one organisation see has its ID.
create table organisation (
  id uuid default gen_random_uuid() primary key,
  name text not null check (name = btrim(name) and name <> ''),
  time_zone text not null default 'Asia/Kolkata' check (
      timezone(time_zone, '1970-01-01 00:00:00+00'::timestamp with time zone) is not null
    ),
  logo text,
  created_at timestamptz not null default portal_now(),
  -- A removed organisation keeps its row for its bills. Another organisation can use the name again.
  removed_at timestamptz,
  gst text,
  credit_limit_paise bigint not null default 0 check (credit_limit_paise >= 0),
  -- Users must replace a password that an admin chose when they first sign in.
  password_change_required boolean not null default false,
  -- null: the setting of the installation applies.
  second_factor text check (second_factor in ('optional', 'required')),
  -- Time at which a second factor became required. The grace period of the organisation's users starts then.
  second_factor_since timestamptz,
  -- Minutes after which an unused session ends; null: the setting of the installation applies.
  idle_minutes integer check (idle_minutes >= 5 and idle_minutes <= 10080),
  passwords_allowed boolean not null default true,
  management_sources text[] check (cardinality(management_sources) >= 1 and cardinality(management_sources) <= 32),
  -- Tags of every Azure resource that is created for the organisation.
  azure_tags jsonb not null default '{}'::jsonb check (jsonb_typeof(azure_tags) = 'object'),
  pseudonyms_allowed boolean not null default false,
  -- Address to which learners write; null: they write to an instructor or to the admin who ordered.
  help_email text check (length(help_email) >= 3 and length(help_email) <= 254),
  constraint organisation_check check (
      (second_factor_since is not null) = (not (second_factor is distinct from 'required'))
    ),
  constraint organisation_gst check (gst ~ '^[0-9]{2}[0-9A-Z]{13}$')
);
create unique index organisation_name on organisation (comparison_key(name)) where removed_at is null;

-- Logo of an organisation, shown on its pages and documents.
create table organisation_logo (
  organisation_id uuid primary key references organisation (id) on delete cascade,
  -- SHA-256 of the image. The address of the logo contains it, so that browsers can cache the image permanently.
  digest bytea not null check (octet_length(digest) = 32),
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  bytes bytea not null check (octet_length(bytes) >= 1 and octet_length(bytes) <= 262144)
);
create index organisation_logo_digest on organisation_logo (digest);
