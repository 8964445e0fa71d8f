import { CLASS } from '../contract/classroom-words.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, notFound } from '@trainyard/platform/server/core/errors.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { machinesInScope } from '@trainyard/trainings/server/scope.ts'
import { refuseOutsideWindow } from '@trainyard/trainings/server/window.ts'
import { upsertPresence } from './queries.ts'
import { activityChanged } from '@trainyard/trainings/server/machine-changes.ts'

/**
 * @throws Problem notFound; closed outside the access window; conflict if the machine's desired state is not running
 */
export async function confirmPresence(tx: Tx, actor: Actor, name: string): Promise<void> {
  const machine = await machinesInScope(tx, actor)
    .select(['id', 'training_id', 'organisation_id', 'desired'])
    .where('name', '=', name)
    // The idle stop takes the same lock, so the later of the two transactions sees the result of the earlier one.
    .forUpdate()
    .executeTakeFirst()
  if (machine === undefined) throw notFound('machine')
  await refuseOutsideWindow(tx, actor, [machine.training_id])
  if (machine.desired !== 'running') throw conflict(CLASS.notRunning(name))
  await upsertPresence(tx, machine.id, machine.organisation_id)
  await activityChanged(tx, [machine.id])
}
