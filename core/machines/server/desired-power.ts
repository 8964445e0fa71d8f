import { sql } from 'kysely'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { Desired } from '../contract/machine-words.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { setDesiredMachines } from './desired-state.ts'

/** Sets the desired power and clears earlier failures. */
export const setDesiredPower = (tx: Tx, machines: readonly MachineId[], desired: Desired): Promise<MachineId[]> =>
  setDesiredMachines(tx, {
    rows: machines,
    desired,
    set: sql`restart_asked_at = null, reset_asked_at = case when ${desired} <> 'gone' then reset_asked_at end`,
    where: desired === 'running' ? MAY_RUN : IS_ALIVE,
  })

export const requestRestart = (tx: Tx, machines: readonly MachineId[]): Promise<MachineId[]> =>
  setDesiredMachines(tx, {
    rows: machines,
    desired: 'running',
    set: sql`restart_asked_at = portal_now()`,
    where: MAY_RUN,
  })

/**
 * SQL: true if the machine's learner is deactivated. Schedules and starts of a whole class leave such a
 * machine stopped, because the learner knows its password.
 */
export const IS_OF_DEACTIVATED = sql<boolean>`exists (
  select from portal_user owner where owner.email = machine.email
    and owner.organisation_id = machine.organisation_id and owner.deactivated_at is not null)`

const IS_ALIVE = sql`t.terminated_at is null and t.desired <> 'gone'`
/**
 * SQL: true for a machine that may run. If a learner left the training's roster, the learner's machine stays stopped.
 */
const MAY_RUN = sql`${IS_ALIVE} and t.withheld_at is null`
