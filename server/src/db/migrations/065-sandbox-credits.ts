import { type Kysely, sql } from 'kysely'

/**
 * Nothing of a lab user's credits is set aside any more: what is not consumed is free, see docs/decisions/087. What was
 * frozen while credits were left is made ready again. Of each sandbox it is known when it was last seen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A check that names a dropped column goes with it, and comes back without it.
  await sql`
    alter table azure_user drop column reserved_paise;
    alter table azure_user
      add check (consumed_paise <= total_paise),
      add check (ended_at is null or (desired = 'gone' and first_password is null and account_id is null
        and reconcile_at is null and leased_until is null));

    alter table sandbox drop column reserved_paise;
    alter table sandbox
      -- When a look last found the group: what was sent to make it before is not on its way any more.
      add column seen_at timestamptz,
      -- The cost of an hour of all that the last look found.
      add column paise_per_hour double precision not null default 0,
      add check (ended_at is null or (desired = 'gone' and access = 'none'
        and reconcile_at is null and leased_until is null));

    update sandbox s set desired = 'ready', generation = s.generation + 1, reconcile_at = portal_now()
    from azure_user u
    where u.id = s.azure_user_id and s.desired = 'frozen' and u.consumed_paise < u.total_paise;
  `.execute(db)
}
