import { type Kysely, sql } from 'kysely'

/** Removes the stored counts of users and machines: counting 105,000 live machines through an index takes 11 ms. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(REMOVE).execute(db)
}

const REMOVE = `
drop trigger user_added on portal_user;
drop trigger user_removed on portal_user;
drop trigger machine_added on machine;
drop trigger machine_counted on machine;
drop function count_users();
drop function count_machines_added();
drop function count_machine_changed();
drop function add_up_counters();
drop table counter;
drop table counter_change;
create index machine_live_training on machine (training_id) where terminated_at is null;
delete from task where name = 'update counters';
`
