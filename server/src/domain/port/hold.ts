import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { leasedRows } from '../../reconcile/claim.ts'
import type { Db, Schema, Tx } from '../../db/schema.ts'
import type { Cloud, Deletion, OpenPort } from '../../providers/cloud.ts'
import { securityGroupName } from '../machine/spec.ts'
import { afterError, errorOf, pauseAfter, type StepError } from '../../reconcile/failures.ts'

/** A training's security group in one resource group, as its row says. */
export type ClaimedGroup = Selectable<Schema['security_group']>

export const securityGroups = leasedRows<ClaimedGroup>('security_group')

export interface HoldParts {
  readonly db: Db
  readonly cloud: Cloud
  readonly onFault: (fault: unknown) => void
}

/** Rules are compared with the ports this often, in case somebody else changed them. */
const DRIFT_SECONDS = 600
/** A group comes into being with the first machine of a training: until then it is looked for. */
const ABSENT_SECONDS = { least: 1, most: 30 }

interface Wanted {
  /** Whether machines stand in it; without any it is deleted. */
  readonly stands: boolean
  readonly ports: readonly OpenPort[]
}

type Came = 'held' | 'changed' | 'absent' | Deletion['remaining']

/** Makes the rules of a claimed group agree with its training's ports, or deletes it; then gives it back. */
export async function takeGroupStep(parts: HoldParts, claimed: ClaimedGroup, signal: AbortSignal): Promise<void> {
  const { db, cloud, onFault } = parts
  const place = { resourceGroup: claimed.resource_group, name: securityGroupName(claimed.training_id) }
  try {
    const wanted = await wantedOf(db, claimed)
    const came: Came = wanted.stands
      ? await cloud.holdPorts(place, wanted.ports, signal)
      : (await cloud.deleteSecurityGroup(place, signal)).remaining
    await securityGroups.withClaimed(db, claimed, (tx, row) => record(tx, claimed, row, came, wanted.ports.length > 0))
  } catch (fault) {
    const error = errorOf(fault, onFault)
    await securityGroups.withClaimed(db, claimed, (tx, row) => recordError(tx, claimed, row, error))
  }
}

async function wantedOf(db: Db, { training_id, resource_group }: ClaimedGroup): Promise<Wanted> {
  const { rows } = await sql<{ stands: boolean }>`
    select exists (select from machine where training_id = ${training_id}
      and lower(resource_group) = ${resource_group} and terminated_at is null) as stands`.execute(db)
  const ports = await db
    .selectFrom('port')
    .select(['port', 'priority'])
    .where('training_id', '=', training_id)
    .orderBy('priority')
    .execute()
  return { stands: rows[0]!.stands, ports }
}

async function record(tx: Tx, claimed: ClaimedGroup, row: ClaimedGroup, came: Came, hasPorts: boolean): Promise<void> {
  const { id, generation } = claimed
  const current = row.generation === generation
  // Ordered anew meanwhile, it is still needed.
  if (came === 'nothing' && current) return void (await tx.deleteFrom('security_group').where('id', '=', id).execute())
  const agrees = came === 'held' || (came === 'absent' && !hasPorts)
  const attempts = came === 'absent' && hasPorts ? row.attempts + 1 : 0
  await giveBack(tx, id, {
    attempts,
    last_error: null,
    settled: agrees ? generation : null,
    seconds: current ? pauseAfterStep(came, attempts, hasPorts) : 0,
  })
}

/** null: nothing is held there, so nothing can come undone. */
function pauseAfterStep(came: Came, attempts: number, hasPorts: boolean): number | null {
  if (came === 'changed') return 0
  if (came === 'something' || came === 'nothing') return 1
  if (!hasPorts) return null
  return came === 'held' ? DRIFT_SECONDS : Math.min(ABSENT_SECONDS.most, ABSENT_SECONDS.least * 1.5 ** attempts)
}

async function recordError(tx: Tx, claimed: ClaimedGroup, row: ClaimedGroup, error: StepError): Promise<void> {
  const told = afterError(error, row)
  await giveBack(tx, claimed.id, {
    ...told,
    settled: null,
    seconds: row.generation === claimed.generation ? pauseAfter(error, told.attempts) : 0,
  })
}

interface Given {
  readonly attempts: number
  readonly last_error: string | null
  /** The generation as of which the provider is as wanted; null: it was not seen to be. */
  readonly settled: number | null
  /** Until it is taken up again; null: not by itself. */
  readonly seconds: number | null
}

async function giveBack(tx: Tx, id: string, { attempts, last_error, settled, seconds }: Given): Promise<void> {
  await sql`
    update security_group set leased_until = null, attempts = ${attempts}, last_error = ${last_error},
      settled_generation = coalesce(${settled}::bigint, settled_generation),
      reconcile_at = portal_now() + make_interval(secs => ${seconds}::float8)
    where id = ${id}`.execute(tx)
}
