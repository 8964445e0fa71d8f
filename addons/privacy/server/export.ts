import { sql } from 'kysely'
import { auditLabel } from '@trainyard/platform/contract/audit-labels.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { ownRows, rowsInScope } from './own-rows.ts'
import { personOf } from './person.ts'
import { columnsIn } from '@trainyard/platform/server/core/tables.ts'
import { personalData } from './personal-data.ts'
import { selectTablesWithOrganisation, selectActions, ROWS_MAX } from './queries.ts'

type ExportedRow = Readonly<Record<string, unknown>>

export interface PersonExport {
  readonly person: { readonly addresses: readonly string[]; readonly names: readonly string[] }
  readonly exportedAt: string
  /** Name of the organisation whose rows are exported; null: all organisations. */
  readonly organisation: string | null
  /** Rows of the person by kind of data. Columns with secrets are omitted. */
  readonly records: readonly { readonly title: string; readonly table: string; readonly rows: readonly ExportedRow[] }[]
  /** Other rows that contain an address of the person, for example as the user who made them. */
  readonly mentions: readonly { readonly table: string; readonly rows: number }[]
  /** Calls of the person, newest first. */
  readonly actions: readonly {
    readonly at: string
    readonly call: string
    readonly what: string
    readonly address: string | null
    readonly refused: string | null
  }[]
}

export async function exportPerson(db: Db, email: string, organisation: OrganisationId | null): Promise<PersonExport> {
  const person = await personOf(db, email, organisation)
  const scoped = await tablesWithOrganisation(db)
  const records = []
  const mentions = []
  for (const [table, data] of Object.entries(personalData())) {
    const inScope = rowsInScope('t', data, { organisation, hasColumn: scoped.has(table) })
    const own = data.owner === null ? sql`false` : ownRows(data.owner, person)
    if (data.owner !== null) {
      const { rows } = await sql<{ row: ExportedRow }>`
        select to_jsonb(t) - ${columnsIn(data.secrets)}::text[] - array(
          select former from unnest(${columnsIn(data.formerOwner)}::text[]) as former
          where lower(to_jsonb(t) ->> former) <> all(${person.addresses}::text[])) as row from ${sql.table(table)} as t
        where ${own} and ${inScope} limit ${ROWS_MAX}`.execute(db)
      if (rows.length > 0) records.push({ title: data.title!, table, rows: rows.map(({ row }) => row) })
    }
    const columns = columnsIn(data.mentions)
    if (columns.length === 0) continue
    const text = sql`concat_ws(' ', ${sql.join(columns.map((name) => sql`${sql.ref(`t.${name}`)}::text`))})`
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} as t
      where not coalesce(${own}, false) and ${inScope}
        and exists (select from unnest(${person.addresses}::text[]) as address
          where position(address in lower(${text})) > 0)`.execute(db)
    if (rows[0]!.count > 0) mentions.push({ table, rows: rows[0]!.count })
  }
  return {
    person: { addresses: person.addresses, names: person.names },
    exportedAt: (await portalNow(db)).toISOString(),
    organisation: organisation === null ? null : await nameOf(db, organisation),
    records,
    mentions,
    actions: await actionsOf(db, person.users, organisation),
  }
}

async function tablesWithOrganisation(db: Db): Promise<Set<string>> {
  const { rows } = await selectTablesWithOrganisation(db)
  return new Set(rows.map(({ table }) => table))
}

async function nameOf(db: Db, organisation: OrganisationId): Promise<string> {
  const { name } = await db
    .selectFrom('organisation')
    .select('name')
    .where('id', '=', organisation)
    .executeTakeFirstOrThrow()
  return name
}

async function actionsOf(db: Db, users: readonly string[], organisation: OrganisationId | null) {
  const { rows } = await selectActions(db, users, organisation)
  return rows.map(({ at, call, address, refused }) => ({
    at: at.toISOString(),
    call,
    what: auditLabel(call),
    address,
    refused,
  }))
}

/** Returns the export as plain text to read. */
export function exportAsText({ person, exportedAt, organisation, records, mentions, actions }: PersonExport): string {
  const lines = [
    `Personal data of ${person.addresses.join(', ')}`,
    `Exported at ${exportedAt}${organisation === null ? '' : `, data of ${organisation}`}`,
    ...(person.names.length > 0 ? [`Names: ${person.names.join(', ')}`] : []),
  ]
  for (const { title, rows } of records) {
    lines.push('', title, '='.repeat(title.length))
    for (const row of rows) {
      const filled = Object.entries(row).filter(([, value]) => value !== null)
      lines.push(...filled.map(([column, value]) => `${column.replaceAll('_', ' ')}: ${written(value)}`), '')
    }
  }
  lines.push('', 'Actions', '=======')
  for (const { at, what, address, refused } of actions) {
    lines.push(`${at}  ${what}${refused === null ? '' : ' (refused)'}${address === null ? '' : `, from ${address}`}`)
  }
  lines.push('', 'Other records with the address', '==============================')
  for (const { table, rows } of mentions) lines.push(`${table.replaceAll('_', ' ')}: ${rows}`)
  return `${lines.join('\n')}\n`
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
