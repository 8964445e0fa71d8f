import { type Kysely, sql } from 'kysely'

/** Sources and protocols of opened ports, and the sources of management connections per organisation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table port add column protocol text not null default 'TCP and UDP' check (protocol in ('TCP', 'UDP', 'TCP and UDP'));
-- IPv4 prefix; null: any address.
alter table port add column source text check (source = source::cidr::text);
-- IPv4 prefixes besides the portal's own addresses; null: the portal's setting applies.
alter table organisation add column management_sources text[] check (cardinality(management_sources) between 1 and 32);
`,
    )
    .execute(db)
}
