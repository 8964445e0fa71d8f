import { type Kysely, sql } from 'kysely'

/**
 * Removes the maximum lengths of texts that can contain an e-mail address. The erasure of a person replaces the address
 * by a pseudonym, which can be longer. The API still limits the lengths of new texts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column, check] of CHECKS) {
    const name = sql.id(`${table}_${column}_check`)
    await sql`alter table ${sql.table(table)} drop constraint ${name}, add constraint ${name} check (${sql.raw(check)})`.execute(
      db,
    )
  }
  await sql`alter table settlement_line drop constraint settlement_line_description_check`.execute(db)
}

const CHECKS = [
  ['announcement', 'text', `text = btrim(text) and text <> ''`],
  ['breach', 'advice', `advice <> ''`],
  ['breach', 'cause', `cause <> ''`],
  ['breach', 'consequences', `consequences <> ''`],
  ['breach', 'contact', `contact <> ''`],
  ['breach', 'measures', `measures <> ''`],
  ['breach', 'what', `what <> ''`],
  ['change_request', 'reason', `reason <> ''`],
  ['invitation', 'bounce', `bounce <> ''`],
  ['organisation_privacy', 'contact', `contact <> ''`],
  ['organisation_privacy', 'purpose', `purpose <> ''`],
  ['organisation_privacy', 'responsible', `responsible <> ''`],
  ['portal_user', 'name', `name = btrim(name) and name <> ''`],
  ['webhook_endpoint', 'url', `url ~ '^https?://'`],
] as const
