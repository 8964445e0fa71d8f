import { type Kysely, sql } from 'kysely'

/** Attempts at passwords, counted before they are heard; and who was refused what, from where. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Not worth a write to the log: after a crash of the server everybody may guess ten times anew.
    create unlogged table login_lane (
      -- A keyed hash: what somebody typed as their e-mail may be their password.
      lane bytea primary key,
      began_at timestamptz not null,
      taken integer not null
    );

    alter table audit
      add column address text,
      -- The problem's code where the call was refused; null where it was done.
      add column refused text;`.execute(db)
}
