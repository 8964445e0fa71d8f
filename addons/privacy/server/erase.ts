import type { KeyObject } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { ErasureId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { auditErased, writeAudit } from '@trainyard/platform/server/core/audit.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { ask } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { ownRows, rowsInScope } from './own-rows.ts'
import { personOf, requireErasable } from './person.ts'
import { columnsIn, type PersonalData } from '@trainyard/platform/server/core/tables.ts'
import { personalData } from './personal-data.ts'
import { selectColumns, type Column, type Person } from './queries.ts'

export interface ErasureDependencies {
  /** Runs work with the login of the database's owner, who alone can change the audit and the ledger. */
  readonly withOwner: <T>(callback: (owner: Db) => Promise<T>) => Promise<T>
  readonly key: () => KeyObject
  readonly logMessage: (sentence: string) => void
}

interface Erasure {
  readonly id: ErasureId
  readonly number: number
  readonly email: string
  readonly organisation_id: OrganisationId | null
}

const pseudonymOf = (number: number): string => `erased-${number}@erased.invalid`

/** Erases the data of every person whose erasure was requested. A failed erasure is tried again by the next run. */
export async function eraseDuePersons(
  db: Db,
  { withOwner, key, logMessage }: ErasureDependencies,
  signal: AbortSignal,
) {
  const due = await db
    .selectFrom('person_erasure')
    .select(['id', 'number', 'email', 'organisation_id'])
    .where('done_at', 'is', null)
    .orderBy('number')
    .execute()
  if (due.length === 0) return
  await withOwner(async (owner) => {
    for (const { email, ...erasure } of due) {
      signal.throwIfAborted()
      await erase(owner, { ...erasure, email: email! }, key(), signal)
        .then(() => logMessage(`The data of person ${erasure.number} was erased.`))
        .catch((error: unknown) => recordProblem(db, erasure.id, error))
    }
  })
}

async function recordProblem(db: Db, id: ErasureId, error: unknown): Promise<void> {
  await db
    .updateTable('person_erasure')
    .set({
      tried_at: sql<Date>`portal_now()`,
      problem: error instanceof Problem ? error.message : 'An error occurred. The log of the worker has the details.',
    })
    .where('id', '=', id)
    .execute()
  if (!(error instanceof Problem)) throw error
}

async function erase(owner: Db, erasure: Erasure, key: KeyObject, signal: AbortSignal): Promise<void> {
  const { id, number, email, organisation_id: organisation } = erasure
  const person = await personOf(owner, email, organisation)
  const replacement = replacementOf(person, number, organisation)
  // The audit is erased first, because its erasure needs the names and other addresses of the person from the tables.
  const rows = new Map<string, number>()
  const eraseAudit = () => ask(owner, auditErased, { ...replacement, users: person.users, organisation, key, signal })
  let auditRows = await eraseAudit()
  await owner.transaction().execute(async (tx) => {
    await requireErasable(tx, person, organisation)
    for (const [table, count] of await eraseFromTables(tx, person, replacement)) rows.set(table, count)
    rows.set('jobs', await eraseJobs(tx, replacement))
  })
  // Audit rows may have been written while the tables were erased.
  auditRows += await eraseAudit()
  rows.set('audit', auditRows)
  const report = [...rows].filter(([, count]) => count > 0).map(([table, count]) => ({ table, rows: count }))
  await owner.transaction().execute(async (tx) => {
    await tx
      .updateTable('person_erasure')
      .set({
        email: null,
        problem: null,
        tried_at: sql<Date>`portal_now()`,
        done_at: sql<Date>`portal_now()`,
        report: JSON.stringify(report),
      })
      .where('id', '=', id)
      .execute()
    await writeAudit(tx, {
      call: 'privacy.erased',
      requestId: id,
      actor: null,
      request: { person: pseudonymOf(number), report },
      ...(organisation !== null && { organisation }),
    })
  })
}

interface Replacement {
  readonly organisation: OrganisationId | null
  readonly pseudonym: string
  readonly label: string
  /** Regular expression that matches an address of the person, but not within a longer address. */
  readonly pattern: string
  readonly replaceAddresses: (text: string) => string
  /** Replaces names that are whole words. */
  readonly replaceNames: (text: string) => string
}

/** Endings of files that can be named after a person. Other endings after an address belong to a longer domain. */
const FILE_TYPES = 'csv|tsv|txt|json|xml|ics|xlsx?|ods|docx?|odt|pdf|png|jpe?g|zip|gz'

function replacementOf({ addresses, names }: Person, number: number, organisation: OrganisationId | null): Replacement {
  const pseudonym = pseudonymOf(number)
  const label = `erased person ${number}`
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
  const spellings = addresses.flatMap((address) => [address, encodeURIComponent(address)])
  const alternatives = spellings.map(literal).join('|')
  // The second lookbehind excludes longer addresses such as o'neil@example.com, which contains neil@example.com.
  const end = String.raw`(?:(?![\w-]|\.\w)|(?=\.(?:${FILE_TYPES})(?:[^\w.-]|$)))`
  const pattern = String.raw`(?<![\w.+%-])(?<!\w['!$*^~])(?:${alternatives})${end}`
  const inText = new RegExp(pattern, 'giu')
  const wordCharacter = String.raw`[\p{L}\p{M}\p{N}_]`
  const inNames = names.map((name) => new RegExp(`(?<!${wordCharacter})${literal(name)}(?!${wordCharacter})`, 'giu'))
  return {
    organisation,
    pseudonym,
    label,
    pattern,
    replaceAddresses: (text) => text.replace(inText, pseudonym),
    replaceNames: (text) => inNames.reduce((done, name) => done.replace(name, label), text),
  }
}

async function columnsOf(tx: Tx): Promise<Map<string, Column[]>> {
  const { rows } = await selectColumns(tx)
  return Map.groupBy(rows, ({ table }) => table)
}

/** Returns the number of changed rows by table. */
async function eraseFromTables(tx: Tx, person: Person, replacement: Replacement): Promise<[string, number][]> {
  const columns = await columnsOf(tx)
  const order = Object.entries(personalData()).toSorted(
    ([a, dataOfA], [b, dataOfB]) => stageOf(a, dataOfA) - stageOf(b, dataOfB),
  )
  const counts: [string, number][] = []
  for (const [table, data] of order) {
    const existingColumns = columns.get(table) ?? []
    const hasColumn = existingColumns.some(({ name }) => name === 'organisation_id')
    const inScope = rowsInScope(table, data, { organisation: replacement.organisation, hasColumn })
    counts.push([table, await eraseFromTable(tx, { table, data, existingColumns, inScope }, person, replacement)])
  }
  return counts
}

/**
 * Stage of a table. Rows that are found by rows of another table are deleted first, accounts after the rows that refer
 * to them. Published events are deleted last, because deletions in other tables write new ones.
 */
function stageOf(table: string, { owner, ifMentioned }: PersonalData): number {
  if (table === 'portal_user') return 1
  if (owner === null) return ifMentioned === 'delete' ? 2 : 0
  return 'condition' in owner ? -1 : 0
}

interface Target {
  readonly table: string
  readonly data: PersonalData
  readonly existingColumns: readonly Column[]
  readonly inScope: RawBuilder<unknown>
}

async function eraseFromTable(tx: Tx, target: Target, person: Person, replacement: Replacement): Promise<number> {
  const { table, data, existingColumns, inScope } = target
  const mentions = existingColumns.filter(({ name }) => columnsIn(data.mentions).includes(name))
  const details = existingColumns.filter(({ name }) => columnsIn(data.details).includes(name))
  const isOwn = data.owner === null ? null : ownRows(data.owner, person)
  let count = 0
  if (isOwn !== null && data.erase === 'delete') {
    count += await run(tx, sql`delete from ${sql.table(table)} where ${isOwn} and ${inScope}`)
  }
  if (isOwn !== null && data.erase === 'keep' && details.length > 0) {
    const cleared = details.map(
      ({ name, isNullable }) => sql`${sql.id(name)} = ${isNullable ? null : replacement.label}`,
    )
    await run(tx, sql`update ${sql.table(table)} set ${sql.join(cleared)} where ${isOwn} and ${inScope}`)
  }
  if (mentions.length === 0) return count
  const found = sql.join(
    mentions.map(({ name }) => sql`${sql.id(name)}::text ~* ${replacement.pattern}`),
    sql` or `,
  )
  if (data.ifMentioned === 'delete') {
    return count + (await run(tx, sql`delete from ${sql.table(table)} where (${found}) and ${inScope}`))
  }
  const replaced = mentions.map(({ name, type }) => {
    const text = sql`regexp_replace(${sql.id(name)}::text, ${replacement.pattern}, ${replacement.pseudonym}, 'gi')`
    return sql`${sql.id(name)} = ${type === 'text' ? text : sql`${text}::${sql.raw(type === '_text' ? 'text[]' : type)}`}`
  })
  return (
    count + (await run(tx, sql`update ${sql.table(table)} set ${sql.join(replaced)} where (${found}) and ${inScope}`))
  )
}

/** Deletes queued and finished jobs whose data or error contains an address of the person. */
const eraseJobs = (tx: Tx, { pattern }: Replacement): Promise<number> =>
  run(tx, sql`delete from pgboss.job where concat_ws(' ', data::text, output::text, source_output::text) ~* ${pattern}`)

async function run(tx: Tx, statement: RawBuilder<unknown>): Promise<number> {
  return Number((await statement.execute(tx)).numAffectedRows ?? 0)
}
