import { type Kysely, sql } from 'kysely'

/**
 * The past of how machines were used: stretches of a run in which the idle measure knew, and said the one or the other.
 * What no stretch covers of a run was not measured.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table activity_stretch (
      machine_id uuid not null,
      began_at timestamptz not null,
      ended_at timestamptz not null check (ended_at > began_at),
      organisation_id uuid not null,
      training_id uuid not null,
      -- Nobody was connected, typed or said to be there, and its processor was at rest.
      idle boolean not null,
      paise_per_hour bigint not null,
      primary key (machine_id, began_at),
      foreign key (machine_id, organisation_id) references machine (id, organisation_id) on delete cascade
    );
    create index activity_stretch_training on activity_stretch (training_id, ended_at);
    create index activity_stretch_organisation on activity_stretch (organisation_id, ended_at);
    create index activity_stretch_ended on activity_stretch (ended_at);`.execute(db)
}
