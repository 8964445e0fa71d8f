import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { ImportedLab, LabImport } from '../contract/lab-import.ts'
import type { LabImportId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { VmSize } from '@trainyard/platform/contract/words/limits.ts'
import { LAB_IMPORTS_PER_ORGANISATION } from '../contract/lab-import-words.ts'
import { azureValues } from '@trainyard/azure/server/form.ts'
import { isImageId } from '@trainyard/templates/contract/image-id.ts'
import { paiseOfRupees } from '@trainyard/platform/contract/words/money.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { LabImportRow } from '../tables.gen.ts'
import { setDesiredState } from '@trainyard/platform/server/run/reconcile/desired-state.ts'
import { notifyWorkers } from '@trainyard/platform/server/run/reconcile/notify.ts'
import { placeTemplate } from '@trainyard/templates/server/place.ts'
import { lockOrganisation, organisationInScope } from '@trainyard/organisations/server/scope.ts'
import type { OrderDependencies } from '@trainyard/machines/server/order/order.ts'
import { foreignOwner } from '@trainyard/templates/server/captured-image.ts'
import { applyLab } from './apply.ts'
import { cutOver, rollBack } from './cut-over.ts'
import { countImports, selectTrainingNamed, insertLabsOfFiles } from './queries.ts'
import { readLabFiles } from './read-files.ts'
import { reportCsv, reportOf, reportPdf } from './report.ts'
import { usualSizeFor, sizeOf } from './size.ts'
import type { SourceLab } from './source.ts'
import { assignedTemplates, labInScope, labsOf, type LabState, statesOf } from './state.ts'

/** Maximum number of items that the message of a rollback lists as not removed. */
const STAYS_SHOWN = 5

export function labImportHandlers(parts: OrderDependencies): HandlersOf<'labImport'> {
  return {
    async list(db, { actor, query }) {
      const { id } = await organisationInScope(db, actor, query.organization)
      // Imports are queried before labs. The browser stops polling when it sees a finished import, so the labs must be
      // at least as recent as the import.
      const imports = await importsOf(db, id)
      const states = await statesOf(db, id, await labsOf(db, id))
      const templates = await assignedTemplates(db, id)
      return {
        imports,
        labs: states.map(labView),
        templates: templates.map(({ name, os }) => ({ name, os })),
      }
    },

    async connect(tx, { actor, body }) {
      const { id: organisation } = await organisationInScope(tx, actor, body.organization)
      await lockOrganisation(tx, organisation, 'change')
      const { principal, subscriptionId } = body
      // The portal's app registration can read the subscriptions of all organisations.
      if (principal === null && actor.role !== 'superadmin') {
        throw new Problem('invalid', 'principal must be given: an app registration that may read the labs.')
      }
      await requireRoom(tx, organisation)
      const _id = randomUUID() as LabImportId
      await tx
        .insertInto('lab_import')
        .values({
          id: _id,
          organisation_id: organisation,
          kind: 'azure',
          name: subscriptionId,
          tenant_id: principal?.tenantId ?? null,
          client_id: principal?.clientId ?? null,
          client_secret: principal === null ? null : parts.seal.seal(principal.clientSecret, _id),
          made_by: actor.email,
          reconcile_at: sql<Date>`portal_now()`,
        })
        .execute()
      await notifyWorkers(tx, 'lab_import')
      return { _id, message: 'The labs are being read.' }
    },

    async upload(tx, { actor, body }) {
      const { id: organisation } = await organisationInScope(tx, actor, body.organization)
      await lockOrganisation(tx, organisation, 'change')
      const { labs, problems } = readLabFiles(body.files)
      if (problems.length > 0 || labs.length === 0) {
        return { _id: null, problems: problems.slice(0, 100), message: 'The files have problems. Nothing was read.' }
      }
      await requireRoom(tx, organisation)
      const _id = await storeFiles(
        tx,
        actor,
        organisation,
        body.files.map(({ name }) => name),
        labs,
      )
      return { _id, problems: [], message: labs.length === 1 ? 'One lab was read.' : `${labs.length} labs were read.` }
    },

    async refresh(tx, { actor, body }) {
      const { id, kind, removed_at } = await importInScope(tx, actor, body._id)
      if (removed_at !== null) throw notFound('import')
      if (kind === 'files') throw conflict('Upload the files again to read them again.')
      await setDesiredState(tx, 'lab_import', { rows: [id], set: sql`reading = reading + 1, listed = false` })
      return { message: 'The labs are being read again.' }
    },

    async remove(tx, { actor, body }) {
      const { id } = await importInScope(tx, actor, body._id)
      await tx.deleteFrom('imported_lab').where('import_id', '=', id).execute()
      // Increments the fence, so that a worker that is still reading can no longer write.
      await tx
        .updateTable('lab_import')
        .set({
          tenant_id: null,
          client_id: null,
          client_secret: null,
          reconcile_at: null,
          leased_until: null,
          fence: sql<number>`fence + 1`,
          removed_at: sql<Date>`coalesce(removed_at, portal_now())`,
        })
        .where('id', '=', id)
        .execute()
      return { message: 'The import and its credentials are deleted. Its trainings stay.' }
    },

    async plan(db, { actor, query }) {
      const state = await stateInScope(db, actor, query.lab)
      return { lab: labView(state), items: [...state.items], newTemplate: newTemplateFor(state.source) }
    },

    async choose(tx, { actor, body: { lab, trainingName, template, usageComesAlong } }) {
      const row = await labInScope(tx, actor, lab, true)
      if (row.moved_at !== null) throw conflict('The lab has moved.')
      if (trainingName !== undefined && row.training_id !== null) throw conflict('The training exists already.')
      if (trainingName !== undefined) await refuseTakenName(tx, row.organisation_id, trainingName)
      const chosen =
        template === undefined
          ? undefined
          : (await assignedTemplates(tx, row.organisation_id)).find(({ name }) => name === template)
      if (template !== undefined && chosen === undefined) throw notFound('template')
      await tx
        .updateTable('imported_lab')
        .set({
          ...(trainingName === undefined ? {} : { training_name: trainingName }),
          ...(chosen === undefined ? {} : { template_id: chosen.id }),
          usage_comes_along: usageComesAlong ?? row.usage_comes_along,
        })
        .where('id', '=', row.id)
        .execute()
      return { message: 'The choice is stored.' }
    },

    async makeTemplate(tx, { actor, body }) {
      const row = await labInScope(tx, actor, body.lab, true)
      const [state] = await statesOf(tx, row.organisation_id, [row])
      const { source } = state!
      if (!isImageId(body.imageId)) {
        throw new Problem('invalid', 'imageId must be publisher:offer:sku:version, or the resource ID of an image.')
      }
      const form = newTemplateFor(source)
      const size = sizeOf(source.size)
      const created = await tx
        .insertInto('template')
        .values({
          name: body.name,
          rate_paise: paiseOfRupees(body.rate)!,
          provider: 'azure',
          ...azureValues({
            ...body,
            location: form.location,
            vmSize: form.vmSize,
            isOfficial: false,
            diskSku: size?.isPremium === true ? 'Premium_LRS' : 'StandardSSD_LRS',
          }),
          os: form.os,
          licence: 'none',
          cpu: String(size?.cores ?? 2),
          memory: `${size?.memoryGb ?? 8} GB`,
          storage: `${size?.diskGb ?? 128} GB`,
          disk: size?.isPremium === true ? 'Premium SSD' : 'SSD',
        })
        .onConflict((on) => on.doNothing())
        .returningAll()
        .executeTakeFirst()
      if (created === undefined) throw conflict(`There is already a template named ${body.name}.`)
      await placeTemplate(tx, created.id, body.privateNetwork)
      if ((await foreignOwner(tx, created, row.organisation_id)) !== null) {
        throw conflict('The image was captured from a machine of another organisation.')
      }
      await tx
        .insertInto('template_assignment')
        .values({ organisation_id: row.organisation_id, template_id: created.id })
        .execute()
      await tx.updateTable('imported_lab').set({ template_id: created.id }).where('id', '=', row.id).execute()
      return { message: `Template ${created.name} created and assigned to ${row.organization}.` }
    },

    async apply(tx, { actor, body }) {
      let changes = 0
      // Labs are sorted by ID, so that concurrent imports do not deadlock.
      const labs = body.labs.toSorted((a, b) => (a.lab < b.lab ? -1 : 1))
      for (const { lab, ticked } of labs) changes += (await applyLab(tx, actor, lab, new Set(ticked))).changes
      const count = labs.length === 1 ? 'One lab is' : `${labs.length} labs are`
      return {
        message:
          changes === 0
            ? 'Nothing has changed since the last import.'
            : `${count} imported: ${changes === 1 ? 'one change' : `${changes} changes`}.`,
      }
    },

    async cutOver(tx, { actor, body }) {
      const { machines, training } = await cutOver(tx, actor, body, parts)
      const count = machines === 1 ? 'One machine is' : `${machines} machines are`
      return { message: `${training} has moved. ${count} ordered, ready at ${body.readyBy.time}.` }
    },

    async rollBack(tx, { actor, body }) {
      const { title, stays } = await rollBack(tx, actor, body.lab)
      const listed = stays.slice(0, STAYS_SHOWN).join(' ')
      const hidden = stays.length - STAYS_SHOWN
      const suffix = hidden > 0 ? ` And ${hidden} more.` : ''
      return { message: `${title} is rolled back.${listed === '' ? '' : ` Not removed: ${listed}${suffix}`}`, stays }
    },

    async report(tx, { actor, body }) {
      const state = await stateInScope(tx, actor, body.lab)
      const report = reportOf(state)
      const today = (await portalNow(tx)).toISOString().slice(0, 10)
      const name = `move-${state.source.name.replace(/[^\w.-]+/g, '-').slice(0, 60)}.${body.format}`
      return body.format === 'csv'
        ? { name, type: 'text/csv', content: [reportCsv(report)] }
        : { name, type: 'application/pdf', content: [await reportPdf(report, today)] }
    },
  }
}

async function stateInScope(db: Db | Tx, actor: Actor, lab: string): Promise<LabState> {
  const row = await labInScope(db, actor, lab)
  return (await statesOf(db, row.organisation_id, [row]))[0]!
}

/** @throws Problem notFound, also for an import out of scope */
async function importInScope(tx: Tx, actor: Actor, id: string): Promise<LabImportRow> {
  const row = await tx
    .selectFrom('lab_import')
    .selectAll()
    .where('id', '=', id as LabImportId)
    .$if(actor.role !== 'superadmin', (of) => of.where('organisation_id', '=', actor.organisation?.id ?? null!))
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw notFound('import')
  return row
}

async function requireRoom(tx: Tx, organisation: OrganisationId): Promise<void> {
  const { rows } = await countImports(tx, organisation)
  if (rows[0]!.count >= LAB_IMPORTS_PER_ORGANISATION) {
    throw conflict(`An organisation has at most ${LAB_IMPORTS_PER_ORGANISATION} imports. Delete one first.`)
  }
}

async function refuseTakenName(tx: Tx, organisation: OrganisationId, name: string): Promise<void> {
  const { rows } = await selectTrainingNamed(tx, organisation, name)
  if (rows.length > 0) throw conflict(`There is already a training named ${name}. Choose another name.`)
}

/**
 * Stores labs. If the group and name of a lab are known, the lab is updated, so that a user can upload a corrected
 * file.
 */
async function storeFiles(
  tx: Tx,
  actor: Actor,
  organisation: OrganisationId,
  names: readonly string[],
  labs: readonly SourceLab[],
): Promise<LabImportId> {
  const { id } = await tx
    .insertInto('lab_import')
    .values({
      organisation_id: organisation,
      kind: 'files',
      name: names.join(', ').slice(0, 200).trim(),
      made_by: actor.email,
      listed: true,
      labs_found: labs.length,
      read_at: sql<Date>`portal_now()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertLabsOfFiles(tx, id, organisation, labs)
  return id
}

async function importsOf(db: Db, organisation: OrganisationId): Promise<LabImport[]> {
  const rows = await db
    .selectFrom('lab_import')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('imported_lab')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('imported_lab.import_id', '=', 'lab_import.id')
        .whereRef('imported_lab.listed_in', '=', 'lab_import.reading')
        // A lab that has moved is not read again.
        .where(({ or, eb: is, ref }) =>
          or([is('imported_lab.read_in', '=', ref('lab_import.reading')), is('imported_lab.moved_at', 'is not', null)]),
        )
        .as('read'),
    )
    .where('organisation_id', '=', organisation)
    .where('removed_at', 'is', null)
    .orderBy('made_at', 'desc')
    .execute()
  return rows.map((row) => ({
    _id: row.id,
    kind: row.kind,
    name: row.name,
    isReading: row.reconcile_at !== null,
    labsFound: row.labs_found,
    labsRead: Number(row.read),
    accountsFound: row.accounts_found,
    error: row.last_error,
    readAt: row.read_at?.toISOString() ?? null,
    madeBy: row.made_by,
    madeAt: row.made_at.toISOString(),
    hasSecret: row.client_secret !== null,
  }))
}

function labView({ row, source, template, isProposed, trainingName, items }: LabState): ImportedLab {
  const counts: ImportedLab['counts'] = {}
  for (const { state } of items) counts[state] = (counts[state] ?? 0) + 1
  return {
    _id: row.id,
    importId: row.import_id,
    resourceId: row.resource_key,
    title: source.title,
    size: source.size,
    machines: source.capacity ?? 0,
    learners: source.users.length,
    schedules: source.schedules.length,
    trainingName,
    template: template?.name ?? null,
    isProposed,
    usageComesAlong: row.usage_comes_along,
    counts,
    isMissing: row.listed_in < row.reading,
    importedAt: row.applied_at?.toISOString() ?? null,
    movedAt: row.moved_at?.toISOString() ?? null,
    classAt: row.class_at?.toISOString() ?? null,
  }
}

function newTemplateFor({ title, size, os, image, location }: SourceLab) {
  const parsed = sizeOf(size)
  return {
    name: title.slice(0, 100),
    vmSize: (parsed === null ? 'Standard_D2s_v3' : usualSizeFor(parsed)) as VmSize,
    os: os ?? ('Linux' as const),
    imageId:
      image.kind === 'gallery'
        ? image.id
        : image.kind === 'marketplace'
          ? [image.publisher, image.offer, image.sku, image.version].join(':')
          : '',
    location: location?.toLowerCase().replace(/[^a-z0-9]/g, '') || 'southindia',
  }
}
