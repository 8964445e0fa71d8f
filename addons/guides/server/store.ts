import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { GuideVersionId, OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { conflict, notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { assignedTemplate } from '@trainyard/templates/server/find.ts'
import { publish } from '@trainyard/users/server/notices.ts'
import type { GuideSource } from '../contract/guide.ts'
import type { guideEvents } from '../contract/guide-event.ts'
import type { LastProof } from '../contract/guide.ts'
import { GUIDE, GUIDES_MAX } from '../contract/guide-words.ts'
import type { GuideNode } from '../contract/guide-text.ts'
import { type Finding, shownFinding } from './format/finding.ts'
import type { ReadGuide } from './format/read-guide.ts'
import { type Guide, maximumOf, tasksOf } from './format/schema.ts'
import type { Translation } from './format/translations.ts'
import type { GuideFiles } from './format/zip.ts'
import { deleteUnusedFiles, lockOf, selectLastVersions, selectSize } from './queries.ts'
import type { GuideVersionRow } from '../tables.gen.ts'

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest()

/** Returns the hash of all paths and files of a guide. */
function hashOf(files: GuideFiles): Buffer {
  const lines = [...files].map(([path, content]) => `${sha256(content).toString('hex')} ${path}`)
  return sha256(lines.toSorted().join('\n'))
}

/** Files that were edited in the portal. */
export interface Edited {
  /** null: a new guide. */
  readonly guide: string | null
  /** The newest version that the author knows. */
  readonly newest: number
  /** Draft of this guide that is deleted. */
  readonly replaces?: number | undefined
}

export interface Origin {
  readonly source?: GuideSource | null
  readonly edited?: Edited | undefined
}

/**
 * Stores the files of a guide as its next version, which is new unless the last version has the same files.
 * @throws Problem conflict if the author of edited files does not know the last version
 */
export async function storeVersion(
  tx: Tx,
  organisation: OrganisationId,
  { guide, texts, translations, findings }: ReadGuide,
  files: GuideFiles,
  by: string,
  { source = null, edited }: Origin = {},
): Promise<{ number: number; isNew: boolean }> {
  const hash = hashOf(files)
  await lockOf(tx, 'guides', organisation)
  const { id, last_number } = await tx
    .insertInto('guide')
    .values({ organisation_id: organisation, slug: guide.id })
    .onConflict((on) => on.columns(['organisation_id', 'slug']).doUpdateSet({ slug: guide.id }))
    .returning(['id', 'last_number'])
    .executeTakeFirstOrThrow()
  const last = await tx
    .selectFrom('guide_version')
    .select(['number', 'hash', 'retired_at', 'made_by'])
    .where('guide_id', '=', id)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (edited !== undefined && last !== undefined) refuseNewer(guide.id, last, edited)
  if (last?.hash.equals(hash) === true && last.retired_at === null) return { number: last.number, isNew: false }
  const number = last_number + 1
  await tx.updateTable('guide').set({ last_number: number }).where('id', '=', id).execute()
  const { id: version } = await tx
    .insertInto('guide_version')
    .values({
      guide_id: id,
      organisation_id: organisation,
      number,
      title: guide.title,
      hash,
      content: JSON.stringify(guide),
      texts: JSON.stringify(texts),
      translations: JSON.stringify(translations),
      findings: JSON.stringify(findings),
      made_by: by,
      source: source === null ? null : JSON.stringify(source),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = [...files].map(([path, content]) => ({ path, content, hash: sha256(content) }))
  const contents = new Map(rows.map((row) => [row.hash.toString('hex'), row]))
  await tx
    .insertInto('guide_file')
    .values(
      [...contents.values()].map(({ content, hash: of }) => ({ organisation_id: organisation, hash: of, content })),
    )
    .onConflict((on) => on.doNothing())
    .execute()
  await tx
    .insertInto('guide_version_file')
    .values(rows.map(({ path, hash: of }) => ({ version_id: version, organisation_id: organisation, path, hash: of })))
    .execute()
  // After a change of the id, the draft belongs to another guide than the version.
  if (edited?.replaces !== undefined && edited.guide !== null)
    await deleteDraft(tx, { organisation, slug: edited.guide, number: edited.replaces, by, stored: version })
  const { rows: sizes } = await selectSize(tx, organisation)
  if (sizes[0]!.bytes > GUIDES_MAX) throw conflict(GUIDE.full)
  return { number, isNew: true }
}

/** @throws Problem conflict if the last version of a guide is not the one that was edited */
function refuseNewer(id: string, last: Pick<GuideVersionRow, 'number' | 'made_by'>, { guide, newest }: Edited): void {
  if (guide !== id) throw conflict(GUIDE.idTaken(id))
  if (last.number > newest)
    throw new Problem('conflict', GUIDE.isNewer(last.number, last.made_by), null, { newest: last.number })
}

interface OwnDraft {
  readonly organisation: OrganisationId
  readonly slug: string
  readonly number: number
  readonly by: string
  /** The version that was stored instead. */
  readonly stored: GuideVersionId
}

/** Deletes a draft of an author whose next save replaces it. A draft that was proven stays, with its proofs. */
async function deleteDraft(tx: Tx, { organisation, slug, number, by, stored }: OwnDraft): Promise<void> {
  // Waits for a call that publishes it.
  const draft = await selectVersions(tx, organisation)
    .where('guide.slug', '=', slug)
    .where('guide_version.number', '=', number)
    .where('guide_version.id', '<>', stored)
    .forUpdate('guide_version')
    .executeTakeFirst()
  if (draft === undefined) return
  const { numDeletedRows } = await tx
    .deleteFrom('guide_version as v')
    .where('v.id', '=', draft.id)
    .where('v.made_by', '=', by)
    .where('v.published_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('proof').select('proof.id').whereRef('proof.version_id', '=', 'v.id'))),
    )
    .executeTakeFirst()
  if (numDeletedRows > 0n) await deleteUnusedFiles(tx, organisation)
}

export interface StoredVersion extends GuideVersionRow {
  readonly slug: string
}

/** Versions of a guide, and versions of all guides, that a list contains. */
const VERSIONS_LISTED = 10
const LIST_MAX = 500
const ATTACHED_MAX = 2_000

/** Returns the last versions of each guide, without their texts, which are large. */
export async function listVersions(db: Db, organisation: OrganisationId) {
  const { rows: last } = await selectLastVersions(db, organisation, VERSIONS_LISTED, LIST_MAX)
  return db
    .selectFrom('guide_version as v')
    .innerJoin('guide', 'guide.id', 'v.guide_id')
    .select(['v.id', 'guide.slug', 'v.number', 'v.content', 'v.findings', 'v.reason', 'v.source'])
    .select(['v.made_by', 'v.made_at', 'v.published_at', 'v.retired_at'])
    .where(sql<boolean>`v.id = any(${last.map(({ id }) => id)}::uuid[])`)
    .orderBy('guide.slug')
    .orderBy('v.number', 'desc')
    .execute()
}

/** SQL: versions with the id of their guide. */
const selectVersions = (db: Db, organisation: OrganisationId) =>
  db
    .selectFrom('guide_version')
    .innerJoin('guide', 'guide.id', 'guide_version.guide_id')
    .selectAll('guide_version')
    .select('guide.slug')
    .where('guide_version.organisation_id', '=', organisation)

/** @throws Problem notFound */
export async function versionOf(
  db: Db,
  organisation: OrganisationId,
  { guide, number }: { readonly guide: string; readonly number: number },
  { isLocked = false } = {},
): Promise<StoredVersion> {
  const found = await selectVersions(db, organisation)
    .where('guide.slug', '=', guide)
    .where('guide_version.number', '=', number)
    // Another call could delete a version that is read to be changed.
    .$if(isLocked, (query) => query.forUpdate('guide_version'))
    .executeTakeFirst()
  if (found === undefined) throw notFound('guide')
  return found
}

/** The last result of a version, or its running proof. */
export interface LastProofRow extends Omit<LastProof, 'step' | 'at'> {
  readonly at: Date
  readonly step: string
}

/** A proof that found no fault. */
export interface Proven {
  readonly at: Date
  readonly templateName: string
  readonly image: string
}

const stateOf = ({ published_at, retired_at }: Pick<GuideVersionRow, 'published_at' | 'retired_at'>) =>
  retired_at !== null ? 'retired' : published_at !== null ? 'published' : 'draft'

/** Returns a version for its authors. */
export function describeVersion(
  row: Omit<StoredVersion, 'id' | 'guide_id' | 'organisation_id' | 'title' | 'hash' | 'texts' | 'translations'>,
  proven: Proven | undefined,
  proof: LastProofRow | undefined,
) {
  const guide = guideOf(row)
  const tasks = tasksOf(guide)
  return {
    number: row.number,
    state: stateOf(row),
    title: guide.title,
    summary: guide.summary,
    steps: guide.steps.length,
    tasks: tasks.length,
    points: maximumOf(guide),
    minutes: guide.minutes,
    content: guide.steps.map((step) => ({
      step: step.id,
      title: step.title,
      tasks: (step.tasks ?? []).map(({ id, title }) => ({ task: id, title })),
    })),
    reason: row.reason,
    proven: proven === undefined ? null : { ...proven, at: proven.at.toISOString() },
    proof:
      proof === undefined
        ? null
        : {
            ...proof,
            step: guide.steps.findIndex(({ id }) => id === proof.step) + 1,
            at: proof.at.toISOString(),
          },
    madeBy: row.made_by,
    madeAt: row.made_at.toISOString(),
    source: row.source as GuideSource | null,
    findings: (row.findings as Finding[]).map(shownFinding),
  } as const
}

export const guideOf = ({ content }: Pick<GuideVersionRow, 'content'>): Guide => content as Guide
export const textsOf = ({ texts }: Pick<GuideVersionRow, 'texts'>) => texts as Record<string, readonly GuideNode[]>

export const translationsOf = ({ translations }: Pick<GuideVersionRow, 'translations'>) =>
  translations as Readonly<Record<string, Translation>>

/** Publishes a version. @param reason null for a proven version @throws Problem conflict */
export async function publishVersion(tx: Tx, row: StoredVersion, reason: string | null): Promise<void> {
  if (row.retired_at !== null) throw conflict(GUIDE.isRetired)
  if (row.published_at !== null) throw conflict(GUIDE.isPublished)
  await tx
    .updateTable('guide_version')
    .set({ published_at: sql<Date>`portal_now()`, reason })
    .where('id', '=', row.id)
    .execute()
  await publish<typeof guideEvents>(tx, [
    {
      organisation: row.organisation_id,
      type: 'guide.published',
      resource: `guide:${row.guide_id}`,
      data: { guide: row.slug, number: row.number },
    },
  ])
}

export async function retireVersion(tx: Tx, row: StoredVersion): Promise<void> {
  if (row.retired_at !== null) throw conflict(GUIDE.isRetired)
  await tx
    .updateTable('guide_version')
    .set({ retired_at: sql<Date>`portal_now()` })
    .where('id', '=', row.id)
    .execute()
}

/**
 * Deletes a version that no training and no learner uses, with its proofs and the files that no other version has.
 * @throws Problem conflict
 */
export async function deleteVersion(tx: Tx, row: StoredVersion): Promise<void> {
  await lockOf(tx, 'guides', row.organisation_id)
  await tx.selectFrom('guide_version').select('id').where('id', '=', row.id).forUpdate().execute()
  const isIn = (table: 'training_guide' | 'guide_run') =>
    tx.selectFrom(table).select('id').where('version_id', '=', row.id).limit(1).executeTakeFirst()
  if (await isIn('training_guide')) throw conflict(GUIDE.isAttached)
  if (await isIn('guide_run')) throw conflict(GUIDE.wasUsed)
  const proof = await tx
    .selectFrom('proof')
    .select('id')
    .where('version_id', '=', row.id)
    .where('phase', '<>', 'ended')
    .limit(1)
    .executeTakeFirst()
  if (proof !== undefined) throw conflict(GUIDE.isBeingProven)
  await tx.deleteFrom('guide_version').where('id', '=', row.id).execute()
  await deleteUnusedFiles(tx, row.organisation_id)
}

/** Returns true if every learner gets a step. A step with a condition may not exist for some learners. */
export const hasStepForAll = ({ steps }: Guide, hidden: ReadonlySet<string>): boolean =>
  steps.some(({ id, when }) => when === undefined && !hidden.has(id))

/**
 * Attaches a version to a training.
 * @param template null for all templates that have no guide
 * @throws Problem conflict
 */
export async function attachVersion(
  tx: Tx,
  training: { readonly id: TrainingId; readonly organisationId: OrganisationId },
  row: StoredVersion,
  template: string | null,
  by: string,
): Promise<void> {
  if (row.retired_at !== null) throw conflict(GUIDE.isRetired)
  if (row.published_at === null) throw conflict(GUIDE.notPublished)
  const hiddenRows = await tx
    .selectFrom('training_guide_step')
    .select('step')
    .where('training_id', '=', training.id)
    .where('guide_id', '=', row.guide_id)
    .where('hidden', '=', true)
    .execute()
  const hidden = new Set(hiddenRows.map(({ step }) => step))
  const guide = guideOf(row)
  if (hidden.size > 0 && !hasStepForAll(guide, hidden))
    throw conflict(GUIDE.onlyHidden(guide.steps.flatMap(({ id, title }) => (hidden.has(id) ? [title] : []))))
  const template_id = template === null ? null : await assignedTemplate(tx, training.organisationId, template)
  const chosen = { version_id: row.id, attached_by: by, attached_at: sql<Date>`portal_now()` }
  await tx
    .insertInto('training_guide')
    .values({ training_id: training.id, organisation_id: training.organisationId, template_id, ...chosen })
    .onConflict((on) => on.columns(['training_id', 'template_id']).doUpdateSet(chosen))
    .execute()
}

/** @returns false if no guide was attached */
export async function detachGuide(tx: Tx, training: TrainingId, template: string | null): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('training_guide')
    .where('training_id', '=', training)
    .where((eb) =>
      template === null
        ? eb('template_id', 'is', null)
        : eb('template_id', 'in', eb.selectFrom('template as t').select('t.id').where('t.name', '=', template)),
    )
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns the guides that trainings of an organisation use. @param training null for all of its trainings */
export const attachedTo = (db: Db, organisation: OrganisationId, training: TrainingId | null) =>
  db
    .selectFrom('training_guide')
    .innerJoin('guide_version', 'guide_version.id', 'training_guide.version_id')
    .innerJoin('guide', 'guide.id', 'guide_version.guide_id')
    .innerJoin('training', 'training.id', 'training_guide.training_id')
    .leftJoin('template', 'template.id', 'training_guide.template_id')
    .select(['training.name as trainingName', 'guide.slug as guide', 'guide_version.number', 'guide_version.title'])
    .select('template.name as templateName')
    .where('training_guide.organisation_id', '=', organisation)
    .$if(training !== null, (query) => query.where('training_guide.training_id', '=', training))
    .orderBy('training.name')
    .orderBy('template.name')
    .limit(ATTACHED_MAX)
    .execute()

/** Returns the contents of files of a version, by path. @param paths default: all */
export async function filesOf(
  db: Db,
  version: GuideVersionId,
  paths?: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (paths?.length === 0) return new Map()
  const rows = await db
    .selectFrom('guide_version_file as v')
    .innerJoin('guide_file as f', (join) =>
      join.onRef('f.organisation_id', '=', 'v.organisation_id').onRef('f.hash', '=', 'v.hash'),
    )
    .select(['v.path', 'f.content'])
    .where('v.version_id', '=', version)
    .$if(paths !== undefined, (query) => query.where('v.path', 'in', paths!))
    .orderBy('v.path')
    .execute()
  return new Map(rows.map(({ path, content }) => [path, content]))
}
