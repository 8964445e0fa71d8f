import type { MachineId, OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { ask } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { setDesiredMachines } from '@trainyard/machines/server/desired-state.ts'
import { setDesiredPower } from '@trainyard/machines/server/desired-power.ts'
import { requireMayOrder, requireMayStart } from '@trainyard/machines/server/may-start.ts'
import { orderableTemplate } from '@trainyard/machines/server/order/order.ts'
import { addSpare } from '@trainyard/machines/server/order/spares.ts'
import { lockOrganisation } from '@trainyard/organisations/server/scope.ts'
import { budgetOf } from '@trainyard/usage/server/outlook.ts'
import { lockPrices } from '@trainyard/usage/server/prices.ts'
import { billOf } from '@trainyard/usage/server/used.ts'
import { PAUSED } from '../contract/ready-pool-words.ts'
import { forgetSpares, lockPool } from './pool.ts'
import { countSpares, lockSpares, type Pool, selectSpares, selectTrainingsToTend } from './queries.ts'

export async function tendPools(db: Db, seal: Seal, signal: AbortSignal): Promise<void> {
  const { rows } = await selectTrainingsToTend(db)
  // Errors are collected, because one training must not keep the others from their machines.
  const errors: unknown[] = []
  for (const { training, organisation } of rows) {
    if (signal.aborted) return
    try {
      await db.transaction().execute((tx) => tendPool(tx, { training, organisation }, seal))
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}

/**
 * Deletes spares that no order may take, starts or stops the others, and adds the missing ones. Refusals of an order or
 * a start stop the spares, because their waiting costs money too.
 */
export async function tendPool(
  tx: Tx,
  { training, organisation }: { readonly training: TrainingId; readonly organisation: OrganisationId },
  seal: Seal,
): Promise<void> {
  await lockOrganisation(tx, organisation, 'use')
  const pool = await lockPool(tx, training)
  // After the training, as a removal locks them, and before the machines, as a change of prices does.
  await lockPrices(tx, organisation, 'use')
  const { rows: spares } = await selectSpares(tx, training)
  const current = spares.filter(({ isCurrent }) => isCurrent)
  const kept = current.slice(0, pool?.machine_count ?? 0)
  await drain(
    tx,
    spares.filter((spare) => !kept.includes(spare)).map(({ id }) => id),
  )
  if (pool === undefined) return
  const refusal = await refusalOf(tx, pool)
  const desired = refusal === null ? pool.power : 'stopped'
  const changed = kept.filter((spare) => spare.desired !== desired).map(({ id }) => id)
  await setDesiredMachines(tx, { rows: await lockedOf(tx, changed), desired })
  const paused = refusal ?? (await fill(tx, pool, seal))
  if (paused !== pool.paused)
    await tx.updateTable('ready_pool').set({ paused }).where('training_id', '=', training).execute()
}

/** Locks only spares that change: an order skips locked ones, and would create a machine although some wait. */
const lockedOf = async (tx: Tx, machines: readonly MachineId[]): Promise<MachineId[]> =>
  machines.length === 0 ? [] : (await lockSpares(tx, machines)).rows.map(({ id }) => id)

async function drain(tx: Tx, unwanted: readonly MachineId[]): Promise<void> {
  const machines = await lockedOf(tx, unwanted)
  if (machines.length === 0) return
  await setDesiredPower(tx, machines, 'gone')
  await forgetSpares(tx, machines)
}

const ADMIN = { role: 'admin' } as const

/** Returns why the training's machines must not run now; null if they may. */
async function refusalOf(tx: Tx, pool: Pool): Promise<string | null> {
  if (pool.template === null) return PAUSED.noTemplate
  if (pool.isClosed) return PAUSED.closed
  if (pool.isStoppedBySchedule) return PAUSED.stoppedBySchedule
  return problemOf(async () => {
    await requireMayOrder(tx, ADMIN, pool.organisation_id)
    await requireMayStart(tx, ADMIN, [pool.training_id])
  })
}

/** Adds the missing machines. Returns why one is still missing; null if none is. */
async function fill(tx: Tx, pool: Pool, seal: Seal): Promise<string | null> {
  // Includes spares that an order is taking, and that are missing only after its commit.
  const { rows } = await countSpares(tx, pool.training_id)
  const missing = pool.machine_count - rows[0]!.count
  if (missing <= 0) return null
  if (!rows[0]!.isCalm) return pool.paused
  const budget = await ask(tx, budgetOf, pool.training_id)
  if (budget !== null && (await billOf(tx, pool.training_id, null)).amount >= budget) return PAUSED.budget
  return problemOf(async () => {
    const template = await orderableTemplate(tx, pool.organisation_id, pool.template!)
    for (let added = 0; added < missing; added++) {
      const machine = await addSpare(tx, seal, {
        organisation: pool.organisation_id,
        training: { id: pool.training_id, name: pool.training },
        template,
        guacamole: pool.guacamole,
        desired: pool.power,
        orderedBy: pool.set_by,
      })
      await tx
        .insertInto('pool_machine')
        .values({
          machine_id: machine,
          organisation_id: pool.organisation_id,
          training_id: pool.training_id,
          template_id: template.id,
          revision: template.revision,
        })
        .execute()
    }
  })
}

/** Returns the message with which `check` refuses; null if it does not. */
async function problemOf(check: () => Promise<void>): Promise<string | null> {
  try {
    await check()
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.message
  }
}
