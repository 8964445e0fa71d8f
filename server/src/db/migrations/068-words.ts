import { type Kysely, sql } from 'kysely'

/**
 * Names columns and tables by the words of the field. Rows stay as they are; the functions of the triggers name their
 * columns in their text, so they are written anew with the new names.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['security_group', 'aws_user', 'azure_user', 'sandbox', 'image', 'machine', 'payment']) {
    await sql`alter table ${sql.table(table)} rename column trouble to last_error`.execute(db)
  }
  await sql`
    alter index payment_trouble rename to payment_failing;
    alter table sandbox_charge rename column standing to resources;
    alter table kept_answer rename to stored_reply;
    alter index kept_answer_pkey rename to stored_reply_pkey;
    alter index kept_answer_age rename to stored_reply_age;
    alter table tally rename to counter;
    alter index tally_name_training_id_key rename to counter_name_training_id_key;
    alter table tally_change rename to counter_change;
    alter index tally_change_pkey rename to counter_change_pkey;
    alter function add_up_tallies rename to add_up_counters;
    alter function tally_users rename to count_users;
    alter function tally_machines_added rename to count_machines_added;
    alter function tally_machine_changed rename to count_machine_changed;
    alter trigger machine_tallied on machine rename to machine_counted;
    do $$ declare named regprocedure; begin
      for named in select oid::regprocedure from pg_proc
        where pronamespace = 'public'::regnamespace and prokind = 'f' and prosrc ~ '\\m(tally|tallies|tally_change|trouble)\\M'
      loop
        execute replace(replace(regexp_replace(regexp_replace(pg_get_functiondef(named), '\\mtally_change\\M', 'counter_change', 'g'),
          '\\mtally\\M', 'counter', 'g'), 'trainyard tallies', 'trainyard counters'), 'trouble', 'last_error');
      end loop;
    end $$`.execute(db)
}
