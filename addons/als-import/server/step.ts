import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { organisationTurns } from '@trainyard/organisations/server/turns.ts'
import type { LabImportRow } from '../tables.gen.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import type { ConnectLabServices, LabServices, LabServicesResource } from './lab-services-provider.ts'
import type { Kind } from '@trainyard/platform/server/run/reconcile/loop.ts'
import type { Result, Step } from '@trainyard/platform/server/run/reconcile/outcome.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { insertListedLabs } from './queries.ts'
import { type AzureLab, keyOfLab } from './read-azure.ts'

export interface ReadingDependencies {
  readonly db: Db
  readonly seal: Seal
  readonly connectLabServices: ConnectLabServices
}

/** Maximum number of imports that one worker reads concurrently, one of each organisation. */
const CONCURRENCY = 8

/**
 * Reads the labs of an import: first the list, then each lab. Each lab is stored when it is read. After a restart, or
 * if Azure throttles the requests, the reading continues with the next lab.
 */
export function labImportKind({ db, seal, connectLabServices }: ReadingDependencies): Kind<LabImportRow> {
  const connect = (row: LabImportRow): LabServices =>
    connectLabServices(
      row.name,
      row.client_secret === null
        ? null
        : {
            subscriptionId: row.name,
            tenantId: row.tenant_id!,
            clientId: row.client_id!,
            clientSecret: seal.open(row.client_secret, row.id),
          },
    )
  const readNext: Step<LabImportRow> = async (row, signal) => {
    if (row.removed_at !== null) return removed
    const next = await db
      .selectFrom('imported_lab')
      .select(['id', 'source'])
      .where('import_id', '=', row.id)
      .where('listed_in', '=', row.reading)
      .where((eb) => eb.or([eb('read_in', 'is', null), eb('read_in', '<', row.reading)]))
      .where('moved_at', 'is', null)
      .orderBy('resource_key')
      .limit(1)
      .executeTakeFirst()
    if (next === undefined) return finished
    const { lab } = (next.source as { azure: AzureLab }).azure
    const read = await readLab(connect(row), lab, signal)
    return async (tx, { reading }) => {
      if (reading === row.reading) {
        await tx
          .updateTable('imported_lab')
          .set({ source: JSON.stringify({ azure: read }), read_in: reading })
          .where('id', '=', next.id)
          .where('moved_at', 'is', null)
          .execute()
      }
      return { next: readNext }
    }
  }
  return {
    table: 'lab_import',
    maxConcurrent: CONCURRENCY,
    turns: organisationTurns(1),
    async step(row, signal) {
      if (row.removed_at !== null) return removed
      if (row.listed) return readNext(row, signal)
      const labs = connect(row)
      const found = await labs.listLabs(signal)
      const accounts = await accountsOf(labs, signal)
      return async (tx, locked) => {
        if (locked.reading !== row.reading) return { next: 0 }
        await storeList(tx, locked, found)
        return { set: { listed: true, labs_found: found.length, accounts_found: accounts }, next: readNext }
      }
    },
    onError: (_row, error) => ({ set: { last_error: error.message }, error }),
  }
}

/** Result for a deleted import. It has no credentials, and without them the portal's own credentials would be used. */
const removed: Result<LabImportRow> = { next: null }

const finished: Result<LabImportRow> = (_tx, row) => ({ set: { read_at: row.now }, next: null })

/**
 * Returns the number of lab accounts, whose labs the import cannot read; 0 if the app registration may not list lab
 * accounts.
 */
async function accountsOf(labs: LabServices, signal: AbortSignal): Promise<number> {
  try {
    return (await labs.listAccounts(signal)).length
  } catch {
    signal.throwIfAborted()
    return 0
  }
}

async function readLab(labs: LabServices, lab: LabServicesResource, signal: AbortSignal): Promise<AzureLab> {
  const [users, schedules, machines] = [
    await labs.listUsers(lab.id, signal),
    await labs.listSchedules(lab.id, signal),
    await labs.listMachines(lab.id, signal),
  ]
  const image = await imageOf(labs, lab, signal)
  return { lab, users, schedules, machines, image, ...(await rolesOf(labs, lab, signal)) }
}

/** Returns the roles at a lab, or the reason why the app registration is not allowed to read them. */
async function rolesOf(
  labs: LabServices,
  { id }: LabServicesResource,
  signal: AbortSignal,
): Promise<Pick<AzureLab, 'roles' | 'rolesProblem'>> {
  try {
    return { roles: await labs.listRoles(id, signal) }
  } catch (error) {
    if (!(error instanceof CloudError) || !['refused', 'unauthorised'].includes(error.kind)) throw error
    return { rolesProblem: error.message }
  }
}

/** Returns the image that the lab names. Reads only this image, because the list of a plan's images is about 10 MB. */
async function imageOf(
  labs: LabServices,
  { properties }: LabServicesResource,
  signal: AbortSignal,
): Promise<LabServicesResource | null> {
  const { labPlanId, virtualMachineProfile } = properties
  const reference = (virtualMachineProfile as { imageReference?: { id?: unknown } } | undefined)?.imageReference
  if (typeof labPlanId !== 'string' || typeof reference?.id !== 'string') return null
  return labs.getImage(labPlanId, reference.id.slice(reference.id.lastIndexOf('/') + 1), signal)
}

/**
 * Adds new labs and updates known labs. A lab that is missing in the new list keeps its stored data, and the number of
 * the last list that contained the lab.
 */
async function storeList(tx: Tx, row: LabImportRow, found: readonly LabServicesResource[]): Promise<void> {
  const labs = new Map(found.map((lab) => [keyOfLab(lab.id), lab]))
  const empty = { users: [], schedules: [], machines: [], image: null }
  await insertListedLabs(tx, {
    row: row.id,
    organisation: row.organisation_id,
    reading: row.reading,
    keys: [...labs.keys()],
    sources: [...labs.values()].map((lab) => JSON.stringify({ azure: { lab, ...empty } })),
  })
}
