import { type Kysely, sql } from 'kysely'

/** Security groups remember as of which generation they agree with the provider, and stand for all there ever was. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The generation as of which the provider was last seen to be as wanted; null: never yet.
    alter table security_group add column settled_generation bigint;
    -- Of trainings from before: those whose machines are gone too, so that their groups are deleted.
    insert into security_group (training_id, organisation_id, resource_group, location)
    select training_id, organisation_id, lower(resource_group), min(location) from machine
    group by training_id, organisation_id, lower(resource_group)
    on conflict do nothing;
  `.execute(db)
}
