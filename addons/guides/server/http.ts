import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { conflict, notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import { type HandlersOf, prepared } from '@trainyard/platform/server/core/handler.ts'
import { type guardedFetch, GuardedFetchError } from '@trainyard/platform/server/providers/guarded-fetch.ts'
import { organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { classInScope, lockTrainingToPlan, type TrainingRef } from '@trainyard/trainings/server/scope.ts'
import { GUIDE, GUIDES_MAX } from '../contract/guide-words.ts'
import { PROOF } from '../contract/proof-words.ts'
import { type Finding, isError, shownFinding, shownFindings, UnreadableGuide } from './format/finding.ts'
import { fetchGuide, GitError } from './git/fetch-guide.ts'
import { BadPack } from './git/pack.ts'
import type { ImportedGuide } from './import/import-guide.ts'
import { readUpload } from './import/read-upload.ts'
import { previewOf } from './preview.ts'
import { type GuideFiles, readZip } from './format/zip.ts'
import { lastProofs, proofsForTraining, provenVersions } from './proof/store.ts'
import { selectSize } from './queries.ts'
import type { classHandlers } from './run/class.ts'
import {
  attachedTo,
  attachVersion,
  deleteVersion,
  describeVersion,
  detachGuide,
  type Edited,
  filesOf,
  guideOf,
  listVersions,
  type Origin,
  publishVersion,
  retireVersion,
  storeVersion,
  textsOf,
  versionOf,
} from './store.ts'

export const guideHandlers = (
  fetchGuarded: ReturnType<typeof guardedFetch>,
): Omit<HandlersOf<'guide'>, keyof ReturnType<typeof classHandlers>> => ({
  async list(db, { actor, query: { organization, trainingName } }) {
    const { organisationId, training } =
      trainingName === undefined
        ? { organisationId: await libraryOf(db, actor, organization), training: null }
        : await classOf(db, actor, { organization, trainingName })
    const rows = await listVersions(db, organisationId)
    const proven = await provenVersions(db, organisationId)
    const proofs = await lastProofs(db, organisationId)
    const { rows: sizes } = await selectSize(db, organisationId)
    const guides = Map.groupBy(rows, ({ slug }) => slug)
    return {
      guides: [...guides].map(([guide, versions]) => ({
        guide,
        versions: versions.map((version) => describeVersion(version, proven.get(version.id), proofs.get(version.id))),
      })),
      attached: await attachedTo(db, organisationId, training),
      size: sizes[0]!.bytes,
      sizeMax: GUIDES_MAX,
    }
  },

  async attached(db, { actor, query }) {
    const { id, organisationId } = await classInScope(db, actor, query)
    return { attached: await attachedTo(db, organisationId, id), proofs: await proofsForTraining(db, id) }
  },

  async read(db, { actor, query: { organization, guide, number } }) {
    const { id } = await organisationInScope(db, actor, organization)
    const row = await versionOf(db, id, { guide, number: Number(number) })
    const files = await db
      .selectFrom('guide_version_file as v')
      .innerJoin('guide_file as f', (join) =>
        join.onRef('f.organisation_id', '=', 'v.organisation_id').onRef('f.hash', '=', 'v.hash'),
      )
      .select(['v.path', sql<number>`length(f.content)`.as('bytes')])
      .where('v.version_id', '=', row.id)
      .orderBy('v.path')
      .execute()
    const texts = textsOf(row)
    return {
      ...describeVersion(row, (await provenVersions(db, id)).get(row.id), (await lastProofs(db, id)).get(row.id)),
      contents: guideOf(row).steps.map((step) => ({ step: step.id, title: step.title, text: [...texts[step.id]!] })),
      files,
    }
  },

  async files(db, { actor, query: { organization, guide, number } }) {
    const { id } = await organisationInScope(db, actor, organization)
    const row = await versionOf(db, id, { guide, number: Number(number) })
    const { newest } = await db
      .selectFrom('guide_version')
      .select((eb) => eb.fn.max<number>('number').as('newest'))
      .where('guide_id', '=', row.guide_id)
      .executeTakeFirstOrThrow()
    const files = await filesOf(db, row.id)
    return {
      title: row.title,
      newest,
      files: [...files].map(([path, content]) => ({ path, bytes: content.toString('base64') })),
    }
  },

  upload: prepared({
    async prepare(db, { actor, body }) {
      const organisation = await organisationInScope(db, actor, body.organization)
      return { organisation, ...readOrRefuse(filesOfZip(body.bytes), body.edited) }
    },
    change: (tx, { actor, body: { edited } }, upload) => store(tx, actor, upload, { edited }),
  }),

  async preview(db, { actor, body: { organization, bytes, shown } }) {
    await organisationInScope(db, actor, organization)
    return previewOf(filesOfZip(bytes), shown)
  },

  fetch: prepared({
    async prepare(db, { actor, body: { organization, url, ref = null, folder = '' } }) {
      const organisation = await organisationInScope(db, actor, organization)
      try {
        const { commit, files } = await fetchGuide({ url, ref, folder }, fetchGuarded)
        return { organisation, ...readOrRefuse(files), source: { url, ref, folder, commit } }
      } catch (error) {
        if (error instanceof UnreadableGuide) throw refusalOf(error.findings, null)
        if (!(error instanceof GitError || error instanceof BadPack || error instanceof GuardedFetchError)) throw error
        throw new Problem('invalid', error.message)
      }
    },
    async change(tx, { actor }, { source, ...upload }) {
      return { ...(await store(tx, actor, upload, { source })), source }
    },
  }),

  async publish(tx, { actor, body, auditChange }) {
    const { id } = await organisationInScope(tx, actor, body.organization)
    const row = await versionOf(tx, id, body, { isLocked: true })
    const { reason = null } = body
    if (reason === null && !(await provenVersions(tx, id)).has(row.id)) throw conflict(PROOF.notProven)
    await publishVersion(tx, row, reason)
    auditChange({ state: 'draft' }, { state: 'published', reason })
    return { message: GUIDE.published(row.title, row.number) }
  },

  async retire(tx, { actor, body }) {
    const { id } = await organisationInScope(tx, actor, body.organization)
    const row = await versionOf(tx, id, body, { isLocked: true })
    await retireVersion(tx, row)
    return { message: GUIDE.retired(row.title, row.number) }
  },

  async delete(tx, { actor, query: { organization, guide, number } }) {
    const { id } = await organisationInScope(tx, actor, organization)
    const row = await versionOf(tx, id, { guide, number: Number(number) })
    await deleteVersion(tx, row)
    return { message: GUIDE.deleted(row.title, row.number) }
  },

  async attach(tx, { actor, body }) {
    const training = await lockTrainingToPlan(tx, actor, body)
    const row = await versionOf(tx, training.organisationId, body, { isLocked: true })
    await attachVersion(tx, training, row, body.templateName, actor.email)
    return { message: GUIDE.attached(row.title, row.number, training.name) }
  },

  async detach(tx, { actor, body }) {
    const { id, name } = await lockTrainingToPlan(tx, actor, body)
    if (!(await detachGuide(tx, id, body.templateName))) throw conflict(GUIDE.notAttached)
    return { message: GUIDE.detached(name) }
  },
})

/** Returns the organisation whose guides an admin sees. @throws Problem notFound to instructors, who name a training */
async function libraryOf(db: Db, actor: Actor, organization: string | undefined): Promise<OrganisationId> {
  if (actor.role === 'user') throw notFound('training')
  return (await organisationInScope(db, actor, organization)).id
}

async function classOf(db: Db, actor: Actor, ref: TrainingRef) {
  const { id, organisationId } = await classInScope(db, actor, ref)
  return { organisationId, training: id }
}

type Upload = ReturnType<typeof readOrRefuse> & { readonly organisation: { readonly id: OrganisationId } }

/** @throws Problem with the errors */
function readOrRefuse(uploaded: GuideFiles, edited?: Edited) {
  const { read, files, imported, findings } = readUpload(uploaded, edited !== undefined)
  const report = imported === null ? null : reportOf(imported)
  if (read === null) throw refusalOf(findings, report)
  return { files, read, report }
}

async function store(tx: Tx, actor: Actor, { organisation, files, read, report }: Upload, origin: Origin) {
  const { number, isNew } = await storeVersion(tx, organisation.id, read, files, actor.email, origin)
  const { id, title } = read.guide
  const done = origin.edited === undefined ? GUIDE.uploaded(title, number) : GUIDE.saved(number)
  return {
    message: isNew ? done : GUIDE.sameFiles(number),
    guide: id,
    number,
    findings: read.findings.map(shownFinding),
    imported: report,
  }
}

function filesOfZip(bytes: string): GuideFiles {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(bytes)) throw new Problem('invalid', GUIDE.notBase64)
  try {
    return readZip(Buffer.from(bytes, 'base64'))
  } catch (error) {
    if (!(error instanceof UnreadableGuide)) throw error
    throw refusalOf(error.findings, null)
  }
}

function refusalOf(findings: readonly Finding[], imported: ReturnType<typeof reportOf> | null): Problem {
  const { message } = new UnreadableGuide(findings, findings.filter(isError).slice(0, SHOWN))
  const { errors, shown } = shownFindings(findings)
  return new Problem('invalid', message, null, {
    findings: shown,
    errors,
    ...(imported !== null && { imported }),
  })
}

/** Errors of a refused guide that its message names. */
const SHOWN = 5
const NOTES_MAX = 500

const reportOf = ({ format, counts, notes }: ImportedGuide) => ({
  format,
  counts: { ...counts },
  notes: notes.slice(0, NOTES_MAX),
})
