import { type Kysely, sql } from 'kysely'

/** A command that the provider will never do as asked is not tried again, and the machine's card says so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The failure that \`trouble\` tells of is final: nothing is tried before somebody asks for something anew.
    alter table machine add column refused boolean not null default false;
    -- Why no machine could be made of the card when one was last ordered; null: one could, or none was.
    alter table template add column refusal text;
  `.execute(db)
}
