import { type Kysely, sql } from 'kysely'

/** Organisations, users, sessions, cards, and what every call leaves behind: audit rows and kept answers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The portal's one clock. Tests step it by redefining it; nothing else in SQL asks for the time.
    create function portal_now() returns timestamptz language sql stable parallel safe return now();

    create table organisation (
      id uuid primary key default gen_random_uuid(),
      name text not null check (name = btrim(name) and name <> ''),
      time_zone text not null default 'Asia/Kolkata',
      logo text,
      created_at timestamptz not null default portal_now(),
      -- A removed organisation keeps its row, for its bills; its name is free again.
      removed_at timestamptz
    );
    create unique index organisation_name on organisation (lower(name)) where removed_at is null;

    create table portal_user (
      id uuid primary key default gen_random_uuid(),
      email text not null unique check (email = lower(email)),
      -- argon2id; null until the invitation is followed.
      password_hash text,
      role text not null check (role in ('user', 'admin', 'superadmin', 'sandboxuser', 'awssandboxuser')),
      organisation_id uuid references organisation (id),
      created_at timestamptz not null default portal_now(),
      check (organisation_id is not null or role not in ('user', 'admin'))
    );
    create index portal_user_organisation on portal_user (organisation_id);

    create table session (
      token_hash bytea primary key,
      user_id uuid not null references portal_user (id) on delete cascade,
      created_at timestamptz not null default portal_now(),
      expires_at timestamptz not null
    );
    create index session_by_user on session (user_id);
    create index session_expiry on session (expires_at);

    create table invitation (
      token_hash bytea primary key,
      user_id uuid not null references portal_user (id) on delete cascade,
      created_at timestamptz not null default portal_now(),
      expires_at timestamptz not null,
      used_at timestamptz
    );
    create index invitation_user on invitation (user_id);

    create table template (
      id uuid primary key default gen_random_uuid(),
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
      check (licence = 'none' or os = 'Windows'),
      check (num_nulls(plan_publisher, plan_product, plan_version) in (0, 3))
    );

    create table template_assignment (
      organisation_id uuid not null references organisation (id) on delete cascade,
      template_id uuid not null references template (id) on delete cascade,
      created_at timestamptz not null default portal_now(),
      primary key (organisation_id, template_id)
    );
    create index template_assignment_template on template_assignment (template_id);

    -- Changes, with who made them and where: one row a change, in the change's own transaction.
    create table audit (
      id bigint generated always as identity primary key,
      at timestamptz not null default portal_now(),
      request_id text not null,
      call text not null,
      actor_id uuid,
      actor_email text,
      actor_role text,
      organisation_id uuid,
      detail jsonb not null
    );
    create index audit_organisation on audit (organisation_id, at);

    create table kept_answer (
      actor_id uuid not null,
      key text not null,
      call text not null,
      body_hash bytea not null,
      -- null only inside the transaction that is making the answer.
      reply jsonb,
      created_at timestamptz not null default portal_now(),
      primary key (actor_id, key)
    );
    create index kept_answer_age on kept_answer (created_at);

    create table worker_pulse (
      worker text primary key,
      seen_at timestamptz not null
    );
  `.execute(db)
}
