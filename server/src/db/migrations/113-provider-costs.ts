import { type Kysely, sql } from 'kysely'

/**
 * Providers' bills, as their cost exports have them: imports with the files that were sent, the lines that stand, the
 * resources that they are of, and whose a resource is where no tag says so.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table cost_import (
      id uuid primary key default gen_random_uuid(),
      file_names text[] not null,
      -- Parts that each file is sent in.
      file_parts integer[] not null check (cardinality(file_parts) = cardinality(file_names)),
      -- The rest is taken where lines can't be read.
      leave_out_bad boolean not null,
      made_by text not null,
      made_at timestamptz not null default portal_now(),
      state text not null default 'receiving' check (state in ('receiving', 'waiting', 'done', 'same', 'refused')),
      -- Lines that were read, which grows while it is at work.
      lines_read integer not null default 0,
      -- Lines that it brought; what stands of them is in cost_line.
      line_count integer not null default 0,
      bad_count integer not null default 0,
      bad_lines jsonb not null default '[]',
      -- Of all that the files hold, unpacked.
      digest text,
      format text,
      summary jsonb,
      refusal text,
      ended_at timestamptz,
      check ((state in ('done', 'same', 'refused')) = (ended_at is not null)),
      check ((refusal is not null) = (state = 'refused'))
    );
    create index cost_import_newest on cost_import (made_at desc);
    create index cost_import_waiting on cost_import (made_at) where state in ('receiving', 'waiting');

    create table cost_import_part (
      import_id uuid not null references cost_import (id) on delete cascade,
      file integer not null check (file >= 0),
      place integer not null check (place >= 0),
      bytes bytea not null,
      primary key (import_id, file, place)
    );

    create table cost_resource (
      id bigint generated always as identity primary key,
      provider text not null check (provider in ('azure', 'aws')),
      -- The provider's id in small letters: it tells no cases apart.
      key text not null,
      name text not null,
      kind text not null,
      resource_group text,
      -- The newest of our tags that a line of it carried.
      tag text check (tag in ('machine', 'sandbox', 'image', 'shared')),
      tag_value text check (tag_value is null or tag is not null),
      unique (provider, key)
    );
    create index cost_resource_tag on cost_resource (tag, tag_value) where tag_value is not null;

    create table cost_line (
      import_id uuid not null references cost_import (id),
      file integer not null,
      line integer not null,
      -- The provider's own id of the line, where it has one.
      identity text,
      provider text not null check (provider in ('azure', 'aws')),
      -- Subscription or account.
      account text not null,
      -- The first day of the billing period: its newest export takes the place of those before.
      period date not null,
      day date not null,
      kind text not null check (kind in ('usage', 'purchase', 'credit', 'tax', 'adjustment', 'unused')),
      -- null: it is of no resource. Resources are never deleted; a foreign key would be looked up for each line.
      resource_id bigint,
      service text not null,
      cost numeric not null,
      currency text not null check (currency ~ '^[A-Z]{3}$'),
      primary key (import_id, file, line)
    );
    create unique index cost_line_identity on cost_line (import_id, identity) where identity is not null;
    create index cost_line_replaced on cost_line (provider, account, period);
    create index cost_line_day on cost_line (day);
    create index cost_line_resource on cost_line (resource_id, day) where resource_id is not null;

    -- A tag without a row, or a resource without a tag, whose cost is an organisation's.
    create table cost_adoption (
      provider text not null check (provider in ('azure', 'aws')),
      of text not null check (of in ('tag', 'resource')),
      value text not null,
      organisation_id uuid not null references organisation (id),
      training_id uuid,
      adopted_by text not null,
      adopted_at timestamptz not null default portal_now(),
      primary key (provider, of, value),
      foreign key (training_id, organisation_id) references training (id, organisation_id)
    );`.execute(db)
}
