-- Lab users and sandboxes at Azure and AWS.

-- Lab users in Entra ID, a work queue. Their sandboxes refer to them.
create table azure_user (
  -- The userId on screen. Names of the user's sandboxes begin with the first part of this ID.
  id uuid default gen_random_uuid() primary key,
  -- Login name, in the portal and at Azure.
  email text not null check (email = lower(email)),
  personal_email text not null check (personal_email = lower(personal_email)),
  -- The user's account in the portal. It is deleted in the first step of removing the user.
  account_id uuid references portal_user (id) on delete set null,
  days integer not null check (days > 0),
  start_at timestamptz not null default portal_now(),
  end_at timestamptz not null,
  -- Encrypted first password at Azure. It is stored before the first call, so that a retry sends the same password.
  first_password bytea,
  total_paise bigint not null check (total_paise >= 0),
  consumed_paise bigint not null default 0 check (consumed_paise >= 0),
  desired text not null default 'ready' check (desired in ('ready', 'gone')),
  -- Time at which the creation was last sent. If the reply was lost, the user may still appear at Azure.
  create_sent_at timestamptz,
  -- Azure's ID of the user, once known.
  object_id text,
  blocked_at timestamptz,
  -- Time since which the user is missing at Azure.
  absent_at timestamptz,
  ended_at timestamptz,
  reconcile_at timestamptz default portal_now(),
  leased_until timestamptz,
  fence bigint not null default 0,
  generation bigint not null default 0,
  attempts integer not null default 0,
  last_error text,
  access_pass_wanted_at timestamptz,
  -- Encrypted.
  access_pass bytea,
  access_pass_ends_at timestamptz,
  constraint azure_user_check check (end_at > start_at),
  constraint azure_user_check1 check (consumed_paise <= total_paise),
  constraint azure_user_check2 check (
      ended_at is null
      or desired = 'gone'
        and first_password is null
        and account_id is null
        and reconcile_at is null
        and leased_until is null
    ),
  constraint azure_user_check3 check ((access_pass is null) = (access_pass_ends_at is null)),
  constraint azure_user_check4 check (access_pass_wanted_at is null or access_pass is null),
  constraint azure_user_check5 check (ended_at is null or access_pass_wanted_at is null and access_pass is null)
);
create unique index azure_user_account on azure_user (account_id) where account_id is not null;
create index azure_user_due on azure_user (reconcile_at) where reconcile_at is not null;
create unique index azure_user_email on azure_user (email) where ended_at is null;
create index azure_user_end on azure_user (end_at) where desired = 'ready';
create index azure_user_newest on azure_user (start_at desc) where ended_at is null;

-- Resource groups of Azure lab users.
create table sandbox (
  id uuid default gen_random_uuid() primary key,
  provider text not null default 'azure' check (provider = 'azure'),
  group_name text not null,
  azure_user_id uuid not null references azure_user (id),
  location text not null,
  created_at timestamptz not null default portal_now(),
  delete_at timestamptz not null,
  desired text not null default 'ready' check (desired in ('ready', 'frozen', 'gone')),
  create_sent_at timestamptz,
  -- True if the group at Azure carries the portal's tag. Otherwise its contents are never deleted.
  ours boolean not null default false,
  -- The user's rights in the group, as last granted.
  access text not null default 'none' check (access in ('none', 'read', 'full')),
  ready_at timestamptz,
  metered_at timestamptz,
  blocked_at timestamptz,
  absent_at timestamptz,
  ended_at timestamptz,
  reconcile_at timestamptz default portal_now(),
  leased_until timestamptz,
  fence bigint not null default 0,
  generation bigint not null default 0,
  attempts integer not null default 0,
  last_error text,
  -- Resources without a price. They are not charged.
  not_priced text[] not null default '{}'::text[],
  -- Time at which the group was last seen. Creations sent before this time are no longer pending.
  seen_at timestamptz,
  -- Cost per hour of the resources found when the sandbox was last metered.
  paise_per_hour double precision not null default 0,
  constraint sandbox_check check (delete_at > created_at),
  constraint sandbox_check1 check (
      ended_at is null
      or desired = 'gone' and access = 'none' and reconcile_at is null and leased_until is null
    )
);
create index sandbox_due on sandbox (reconcile_at) where reconcile_at is not null;
create index sandbox_end on sandbox (delete_at) where desired <> 'gone';
create unique index sandbox_group on sandbox (provider, lower(group_name)) where ended_at is null;
create index sandbox_user on sandbox (azure_user_id, created_at desc);

-- Cost of the resources of a sandbox over a period. Insert-only.
create table sandbox_charge (
  id bigint generated always as identity primary key,
  sandbox_id uuid not null references sandbox (id),
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- Part of the cost that the user's credits covered.
  paise bigint not null check (paise >= 0),
  cost_paise bigint not null,
  -- Types, sizes and numbers of the resources.
  resources jsonb not null,
  constraint sandbox_charge_check check (to_at > from_at),
  constraint sandbox_charge_check1 check (cost_paise >= paise)
);
create index sandbox_charge_sandbox on sandbox_charge (sandbox_id, from_at);

-- AWS accounts of the pool that were leased at least once.
create table aws_account (
  id text primary key check (id ~ '^[0-9]{12}$'),
  -- The user who leases the account; null: no user.
  aws_user_id uuid unique,
  -- Time since which the account is being cleaned. The account can be leased again once AWS has returned it without
  -- the portal's users.
  retired_at timestamptz,
  -- Time of the next check whether the account was returned.
  look_at timestamptz,
  -- Reason why the account is not used until an operator has checked it.
  quarantined text,
  constraint aws_account_check check (retired_at is null or aws_user_id is null)
);
create index aws_account_away on aws_account (look_at) where retired_at is not null and quarantined is null;

-- Lab users at AWS, a work queue.
create table aws_user (
  id uuid default gen_random_uuid() primary key,
  -- Name of the IAM user.
  username text not null check (username <> ''),
  -- Login name in the portal.
  email text not null check (email = lower(email)),
  personal_email text not null check (personal_email = lower(personal_email)),
  -- The user's account in the portal. It is deleted in the first step of removing the user.
  account_id uuid references portal_user (id) on delete set null,
  -- AWS account of the user. A leased account is known from the start, the portal's own account once the IAM user
  -- exists.
  aws_account text check (aws_account ~ '^[0-9]{12}$'),
  leased boolean not null default false,
  days integer not null check (days > 0),
  start_at timestamptz not null default portal_now(),
  end_at timestamptz not null,
  -- Encrypted first password at AWS. It is stored before the first call, so that a retry sends the same password.
  first_password bytea,
  desired text not null default 'ready' check (desired in ('ready', 'gone')),
  -- Time at which the creation was last sent. If the reply was lost, the user may still appear at AWS.
  create_sent_at timestamptz,
  ready_at timestamptz,
  blocked_at timestamptz,
  -- Time since which the user is missing at AWS.
  absent_at timestamptz,
  ended_at timestamptz,
  reconcile_at timestamptz default portal_now(),
  leased_until timestamptz,
  fence bigint not null default 0,
  generation bigint not null default 0,
  attempts integer not null default 0,
  last_error text,
  constraint aws_user_check check (end_at > start_at),
  constraint aws_user_check1 check (not leased or aws_account is not null),
  constraint aws_user_check2 check (
      ended_at is null
      or desired = 'gone'
        and first_password is null
        and account_id is null
        and reconcile_at is null
        and leased_until is null
    )
);
create unique index aws_user_account on aws_user (account_id) where account_id is not null;
create index aws_user_due on aws_user (reconcile_at) where reconcile_at is not null;
create unique index aws_user_email on aws_user (email) where ended_at is null;
create index aws_user_end on aws_user (end_at) where desired = 'ready';
create index aws_user_newest on aws_user (start_at desc) where ended_at is null;
create unique index aws_user_username on aws_user (lower(username)) where ended_at is null;

alter table aws_account add constraint aws_account_aws_user_id_fkey foreign key (aws_user_id) references aws_user(id);

create function reject_overlapping_charges()
returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from sandbox where id = new.sandbox_id for no key update;
  if exists (select from sandbox_charge where sandbox_id = new.sandbox_id and id <> new.id
      and from_at < new.to_at and to_at > new.from_at) then
    raise exception 'charges of sandbox % overlap', new.sandbox_id
      using errcode = 'exclusion_violation', table = 'sandbox_charge', constraint = 'sandbox_charge_apart';
  end if;
  return null;
end $$;

create trigger sandbox_charge_apart after insert or update of sandbox_id, from_at, to_at on sandbox_charge
  for each row execute function reject_overlapping_charges();
