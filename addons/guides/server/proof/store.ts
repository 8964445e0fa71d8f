import { sql } from 'kysely'
import type { GuideVersionId, OrganisationId, ProofId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { conflict, notFound } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { notifyWorkers } from '@trainyard/platform/server/run/reconcile/notify.ts'
import { assignedTemplate } from '@trainyard/templates/server/find.ts'
import type { ProofOnTemplate } from '../../contract/guide.ts'
import type { Proofs, ProofView } from '../../contract/proof.ts'
import { CHANGES_SHOWN, PROOF, PROOF_MINUTES_MAX } from '../../contract/proof-words.ts'
import { chooseVariables } from '../run/own-run.ts'
import { guideOf, type LastProofRow, type Proven, type StoredVersion } from '../store.ts'
import { selectChangedFiles, selectChangedPackages, selectTemplates, selectUsedVersions } from './queries.ts'

/** Proofs of a guide that a list contains. */
const LISTED = 50
/** Changed files and packages of which a proof names the first, and one more, so that their end is known. */
const CHANGES_MAX = CHANGES_SHOWN + 1

/**
 * Starts a proof, which a worker runs.
 * @param by null: the portal
 * @throws Problem conflict while the same version is proven on the template
 */
export async function startProof(
  tx: Tx,
  version: Pick<StoredVersion, 'id' | 'organisation_id' | 'content'>,
  templateName: string,
  by: string | null,
): Promise<ProofId> {
  const { organisation_id } = version
  const id = await assignedTemplate(tx, organisation_id, templateName)
  const template = await tx
    .selectFrom('template')
    .select(['id', 'name', 'revision', 'image', 'os'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (template.os !== 'Linux') throw conflict(PROOF.onlyLinux)
  const started = await tx
    .insertInto('proof')
    .values({
      organisation_id,
      version_id: version.id,
      template_id: template.id,
      template_name: template.name,
      template_revision: template.revision,
      image: JSON.stringify(template.image),
      asked_by: by,
      variables: JSON.stringify(chooseVariables(guideOf(version))),
    })
    // As a literal: in a generic plan, a parameter does not match the condition of the index.
    .onConflict((on) =>
      on
        .columns(['version_id', 'template_id'])
        .where(sql<boolean>`state = 'running'`)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  if (started === undefined) throw conflict(PROOF.running(template.name))
  await notifyWorkers(tx, 'proof')
  return started.id
}

/** SQL: the template of the proof `p`, joined as `t`, or its image has changed since the proof. */
const IS_STALE = sql<boolean>`(t.revision is distinct from p.template_revision or t.image is distinct from p.image)`

const selectProofs = (db: Db, organisation: OrganisationId) =>
  db
    .selectFrom('proof as p')
    .innerJoin('guide_version as v', 'v.id', 'p.version_id')
    .leftJoin('template as t', 't.id', 'p.template_id')
    .where('p.organisation_id', '=', organisation)

/** @throws Problem notFound */
export async function proofsOf(db: Db, organisation: OrganisationId, slug: string): Promise<Proofs> {
  const guide = await db
    .selectFrom('guide')
    .select('id')
    .where('organisation_id', '=', organisation)
    .where('slug', '=', slug)
    .executeTakeFirst()
  if (guide === undefined) throw notFound('guide')
  const rows = await selectProofs(db, organisation)
    // Without the packages, which are many.
    .select(['p.id', 'p.version_id', 'p.template_id', 'p.template_name', 'p.template_revision', 'p.image_id'])
    .select(['p.state', 'p.phase', 'p.step', 'p.task', 'p.reason', 'p.cost_paise', 'p.asked_by', 'p.created_at'])
    .select(['p.started_at', 'p.ended_at', 'v.number', IS_STALE.as('isStale')])
    .where('v.guide_id', '=', guide.id)
    .orderBy('p.created_at', 'desc')
    .limit(LISTED)
    .execute()
  const faults = await db
    .selectFrom('proof_fault')
    .selectAll()
    .where(sql<boolean>`proof_id = any(${rows.map(({ id }) => id)}::uuid[])`)
    .orderBy('found_at')
    .orderBy('kind')
    .execute()
  const byProof = Map.groupBy(faults, ({ proof_id }) => proof_id)
  const { rows: templates } = await selectTemplates(db, organisation, guide.id)
  const greens = rows.map(({ template_id }, index) =>
    rows.slice(index + 1).find((row) => row.state === 'proven' && row.template_id === template_id),
  )
  const pairs = rows.flatMap(({ version_id: to }, index) => {
    const from = greens[index]?.version_id ?? to
    return from === to ? [] : [[from, to] as const]
  })
  const { rows: changes } = await selectChangedFiles(
    db,
    pairs.map(([from]) => from),
    pairs.map(([, to]) => to),
    CHANGES_MAX,
  )
  const compared = rows.flatMap(({ id: to, state }, index) => {
    const from = state === 'proven' ? undefined : greens[index]?.id
    return from === undefined ? [] : [[from, to] as const]
  })
  const { rows: newer } = await selectChangedPackages(
    db,
    compared.map(([from]) => from),
    compared.map(([, to]) => to),
    CHANGES_MAX,
  )
  return {
    templates: templates.map(({ templateName, paisePerHour }) => ({
      templateName,
      paisePerHour,
      minutesMax: PROOF_MINUTES_MAX,
      paiseMax: Math.ceil((paisePerHour * PROOF_MINUTES_MAX) / 60),
    })),
    proofs: rows.map((row, index): ProofView => {
      const green = greens[index]
      return {
        id: row.id,
        number: row.number,
        templateName: row.template_name,
        image: row.image_id,
        state: row.state,
        isStale: row.isStale,
        phase: row.phase,
        step: row.step,
        task: row.task,
        askedBy: row.asked_by,
        askedAt: row.created_at.toISOString(),
        endedAt: row.ended_at?.toISOString() ?? null,
        seconds:
          row.started_at === null || row.ended_at === null
            ? null
            : Math.round((row.ended_at.getTime() - row.started_at.getTime()) / 1_000),
        costPaise: row.phase === 'ended' ? row.cost_paise : null,
        reason: row.reason,
        faults: (byProof.get(row.id) ?? []).map((fault) => ({
          kind: fault.kind,
          step: fault.step,
          task: fault.task,
          script: fault.script,
          exitStatus: fault.exit_status,
          message: fault.message,
          errorOutput: fault.error_output,
        })),
        since:
          green === undefined
            ? null
            : {
                number: green.number,
                endedAt: green.ended_at!.toISOString(),
                version: green.version_id !== row.version_id,
                files: changes.find(({ from, to }) => from === green.version_id && to === row.version_id)?.files ?? [],
                packages: newer.find(({ to }) => to === row.id)?.packages ?? [],
                template: green.template_revision !== row.template_revision,
                image: green.image_id !== row.image_id,
              },
      }
    }),
  }
}

/** Proofs of a training that a list contains. */
const OF_TRAINING = 50

/** Returns whether the guides of a training are proven on the templates of its machines. */
export async function proofsForTraining(db: Db, training: TrainingId): Promise<ProofOnTemplate[]> {
  const { rows } = await selectUsedVersions(db, training, OF_TRAINING)
  return rows.map(({ state, at, isStale, faults, ...row }) =>
    state === 'running' || isStale === false
      ? { ...row, state, at: at!.toISOString(), faults }
      : { ...row, state: null, at: null, faults: 0 },
  )
}

/** Returns the running proof of each version, otherwise its last result. A proof that was not run is the last choice. */
export async function lastProofs(
  db: Db,
  organisation: OrganisationId,
): Promise<ReadonlyMap<GuideVersionId, LastProofRow>> {
  const rows = await selectProofs(db, organisation)
    .distinctOn('p.version_id')
    .select(['p.version_id', 'p.state', 'p.phase', 'p.step', 'p.template_name as templateName'])
    .select([sql<Date>`coalesce(p.ended_at, p.created_at)`.as('at'), IS_STALE.as('isStale')])
    .select((eb) =>
      eb
        .selectFrom('proof_fault as f')
        .whereRef('f.proof_id', '=', 'p.id')
        .select(sql<number>`count(*)::integer`.as('count'))
        .as('faults'),
    )
    .orderBy('p.version_id')
    .orderBy(sql`p.state = 'running'`, 'desc')
    .orderBy(sql`p.state = 'not run'`)
    .orderBy('p.created_at', 'desc')
    .execute()
  return new Map(rows.map(({ version_id, faults, ...row }) => [version_id, { ...row, faults: faults ?? 0 }]))
}

/** Returns the last proof without a fault of each version that its template still matches. */
export async function provenVersions(
  db: Db,
  organisation: OrganisationId,
): Promise<ReadonlyMap<GuideVersionId, Proven>> {
  const rows = await selectProofs(db, organisation)
    .distinctOn('p.version_id')
    .select(['p.version_id', 'p.ended_at', 'p.template_name', 'p.image_id'])
    .where('p.state', '=', 'proven')
    .where(sql<boolean>`not ${IS_STALE}`)
    .orderBy('p.version_id')
    .orderBy('p.ended_at', 'desc')
    .execute()
  return new Map(
    rows.map(({ version_id, ended_at, template_name, image_id }) => [
      version_id,
      { at: ended_at!, templateName: template_name, image: image_id },
    ]),
  )
}
