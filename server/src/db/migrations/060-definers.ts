import { type Kysely, sql } from 'kysely'

/**
 * Functions that run as their owner look for tables in the temporary schema last. A path that does not name it searches
 * it first: whoever may make a temporary table named like one of ours would have its triggers run as the owner.
 * Source: https://www.postgresql.org/docs/current/sql-createfunction.html#SQL-CREATEFUNCTION-SECURITY
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    do $$ declare definer regprocedure; begin
      for definer in select oid::regprocedure from pg_proc where prosecdef and pronamespace = 'public'::regnamespace
      loop execute format('alter function %s set search_path = public, pg_temp', definer); end loop;
    end $$`.execute(db)
}
