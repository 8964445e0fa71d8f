import type { MachineRef } from '../contract/machine-ref.ts'
import { sql } from 'kysely'
import { can } from '../contract/machine-words.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { makePassword } from './credentials.ts'
import { setDesiredMachines } from './desired-state.ts'
import { requireMayStart } from './may-start.ts'
import { machineIds, lockMachinesByName, trainingIds } from './lock-by-name.ts'
import { machinesOfClasses } from '@trainyard/trainings/server/scope.ts'
import { accessEnded } from './events.ts'
import { emit, sqlOf } from '@trainyard/platform/server/core/events.ts'
import { hasImagePassword, imageOf } from '@trainyard/templates/server/image.ts'

/**
 * Resets all given machines, or none of them. Used hours still count. Each machine gets a new password.
 */
export async function resetMachines(tx: Tx, actor: Actor, refs: readonly MachineRef[], seal: Seal): Promise<string> {
  const machines = await lockMachinesByName(tx, actor, refs, can.reset, machinesOfClasses)
  await requireMayStart(tx, actor, trainingIds(machines))
  const passwords = machines.map(({ row }) => seal.seal(makePassword(), row.id))
  await setDesiredMachines(tx, {
    rows: sql`
      select id, last_error, reset.password, ${sqlOf(hasImagePassword, imageOf('machine'))} as due
      from machine join unnest(${machineIds(machines)}::uuid[], ${passwords}::bytea[]) as reset (id, password) using (id)
      order by id for update of machine`,
    set: sql`reset_asked_at = portal_now(), restart_asked_at = null, admin_password = changed.password,
      password_number = password_number + 1, password_due = changed.due, handed_over_at = null,
      reset_count = reset_count + 1`,
  })
  await emit(tx, accessEnded, machineIds(machines))
  const [only, ...extra] = machines
  return extra.length === 0
    ? `${only!.row.name} is being reset. It will have a new password.`
    : `${machines.length} machines are being reset. They will have new passwords.`
}
