import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { ImportItem } from '../contract/lab-import.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { notFound } from '@trainyard/platform/server/core/errors.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { ImportedLabRow } from '../tables.gen.ts'
import type { TemplateRow } from '@trainyard/templates/tables.gen.ts'
import { differencesOf } from './differences.ts'
import { selectEditedSchedules, selectForeignEmails } from './queries.ts'
import { type AzureLab, readAzureLab } from './read-azure.ts'
import { nearestTemplate, sizeOf } from './size.ts'
import type { SourceLab } from './source.ts'
import { type Applied, type Target, targetOf } from './target.ts'

/** Stored form of a lab's source. */
type StoredSource = { readonly azure: AzureLab } | { readonly files: SourceLab }

const sourceLabOf = (source: unknown): SourceLab => {
  const stored = source as StoredSource
  return 'azure' in stored ? readAzureLab(stored.azure) : stored.files
}

export type LabRow = ImportedLabRow & {
  readonly reading: number
  readonly isRead: boolean
  readonly organization: string
}

/** Returns a lab of the actor's organisation. @throws Problem notFound */
export async function labInScope(db: Db | Tx, actor: Actor, id: string, lock = false): Promise<LabRow> {
  const row = await labs(db)
    .where('imported_lab.id', '=', id as LabRow['id'])
    .$if(actor.role !== 'superadmin', (of) =>
      of.where('imported_lab.organisation_id', '=', actor.organisation?.id ?? null!),
    )
    .$if(lock, (of) => of.forUpdate('imported_lab'))
    .executeTakeFirst()
  if (row === undefined) throw notFound('lab')
  return row
}

export async function labsOf(db: Db, organisation: OrganisationId): Promise<LabRow[]> {
  return labs(db)
    .where('imported_lab.organisation_id', '=', organisation)
    .orderBy('imported_lab.resource_key')
    .execute()
}

const labs = (db: Db | Tx) =>
  db
    .selectFrom('imported_lab')
    .innerJoin('lab_import', 'lab_import.id', 'imported_lab.import_id')
    .innerJoin('organisation', 'organisation.id', 'imported_lab.organisation_id')
    .selectAll('imported_lab')
    .select([
      'lab_import.reading',
      'organisation.name as organization',
      sql<boolean>`imported_lab.read_in is not null`.as('isRead'),
    ])

export interface LabState {
  readonly row: LabRow
  readonly source: SourceLab
  readonly target: Target
  readonly applied: Applied | null
  readonly template: TemplateRow | null
  readonly isProposed: boolean
  readonly trainingName: string
  readonly items: readonly ImportItem[]
}

/** Returns the states of labs of one organisation, with a constant number of queries. */
export async function statesOf(
  db: Db | Tx,
  organisation: OrganisationId,
  rows: readonly LabRow[],
): Promise<LabState[]> {
  const now = await portalNow(db)
  const [templates, trainings, edited, machines] = [
    await assignedTemplates(db, organisation),
    await db
      .selectFrom('training')
      .select(['id', 'name', 'idle_stop_minutes', 'removed_at', sql<string>`comparison_key(name)`.as('key')])
      .where('organisation_id', '=', organisation)
      .execute(),
    await editedSchedules(db, organisation),
    await db
      .selectFrom('machine')
      .select(['training_id', 'email'])
      .where('training_id', 'in', rows.flatMap(({ training_id }) => training_id ?? []).concat(NO_TRAINING))
      .where('terminated_at', 'is', null)
      .where('desired', '<>', 'gone')
      .execute(),
  ]
  const sources = rows.map((row) => ({ row, source: sourceLabOf(row.source) }))
  const foreign = await foreignEmails(
    db,
    organisation,
    sources.flatMap(({ source }) => [...source.users.map(({ email }) => email), ...source.owners]),
  )
  // Names of existing trainings, and names that the import will give to labs before this one in the list.
  const usedNames = new Map<string, string>(
    trainings.filter(({ removed_at }) => removed_at === null).map(({ key, id }) => [key, id]),
  )
  const numbers = new Map<string, number>()
  return sources.map(({ row, source }) => {
    const target = targetOf(source, row.usage_comes_along, now)
    const applied = row.applied as Applied | null
    const training = trainings.find(({ id }) => id === row.training_id)
    const chosen = templates.find(({ id }) => id === row.template_id)
    const size = sizeOf(source.size)
    const template = chosen ?? (size === null ? null : nearestTemplate(size, source.os, templates))
    const requested = row.training_name ?? target.trainingName
    const trainingName = training?.name ?? freeName(requested, usedNames, numbers)
    if (training === undefined) usedNames.set(keyOf(trainingName), row.id)
    const items = differencesOf(source, target, applied, {
      now,
      training: training === undefined ? null : { name: training.name, idleStopMinutes: training.idle_stop_minutes },
      trainingName,
      isNameTaken: training === undefined && trainingName !== target.trainingName && row.training_name === null,
      editedSchedules: new Set(
        Object.entries(applied?.schedules ?? {})
          .filter(([, { weekly, single }]) => [...weekly, ...single].some((id) => edited.has(id)))
          .map(([key]) => key),
      ),
      withMachine: new Set(
        machines.filter(({ training_id }) => training_id === row.training_id).map(({ email }) => email),
      ),
      foreign,
      template: template === null ? null : { name: template.name, isProposed: chosen === undefined },
      isMissing: row.listed_in < row.reading,
      isMoved: row.moved_at !== null,
    })
    return { row, source, target, applied, template, isProposed: chosen === undefined, trainingName, items }
  })
}

/** An ID that no training has. It is used for an empty list, which is not valid SQL. */
const NO_TRAINING = '00000000-0000-0000-0000-000000000000' as NonNullable<ImportedLabRow['training_id']>

const keyOf = (name: string): string => name.normalize('NFKC').toLowerCase()

/**
 * @param numbers next number to try for each wanted name, so that the search for a free name does not always start at 1
 */
function freeName(requested: string, usedNames: ReadonlyMap<string, unknown>, numbers: Map<string, number>): string {
  const key = keyOf(requested)
  for (let number = numbers.get(key) ?? 1; ; number++) {
    const name = number === 1 ? requested : `${requested.slice(0, 95)} ${number}`
    numbers.set(key, number)
    if (!usedNames.has(keyOf(name))) return name
  }
}

export const assignedTemplates = (db: Db | Tx, organisation: OrganisationId): Promise<TemplateRow[]> =>
  db
    .selectFrom('template')
    .innerJoin('template_assignment', 'template_assignment.template_id', 'template.id')
    .selectAll('template')
    .where('template_assignment.organisation_id', '=', organisation)
    .orderBy('template.name')
    .execute()

/** IDs of schedules and weekly schedules that were removed before they ended. */
async function editedSchedules(db: Db | Tx, organisation: OrganisationId): Promise<ReadonlySet<string>> {
  const { rows } = await selectEditedSchedules(db, organisation)
  return new Set(rows.map(({ id }) => id))
}

/** E-mail addresses of users of another organisation, or in a domain that another organisation has verified. */
async function foreignEmails(
  db: Db | Tx,
  organisation: OrganisationId,
  emails: readonly string[],
): Promise<ReadonlySet<string>> {
  if (emails.length === 0) return new Set()
  const { rows } = await selectForeignEmails(db, [...new Set(emails)], organisation)
  return new Set(rows.map(({ email }) => email))
}
