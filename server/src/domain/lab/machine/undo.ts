import { sql } from 'kysely'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import { UNDO_SECONDS } from '@trainyard/contract/words/limits.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { conflict } from '../../../core/errors.ts'
import { refuseLeashed } from '../../money/budget/leash.ts'
import type { LockedMachine } from './record.ts'
import { idsOf, named, type Named, type Place, trainingsOf } from './named.ts'
import { want } from './wake.ts'

/** Wants machines stopped, and has that sent a few seconds later where undoing brings them back to how they were. */
export async function stopUndoably(tx: Tx, machines: readonly Named[]): Promise<void> {
  const undoable = machines.filter(({ row, view }) => view.isRunning && row.desired === 'running')
  await want(tx, idsOf(machines), 'stopped')
  await hold(tx, idsOf(undoable))
}

async function hold(tx: Tx, machines: readonly MachineId[]): Promise<void> {
  await sql`
    update machine set not_before = portal_now() + make_interval(secs => ${UNDO_SECONDS}),
      reconcile_at = portal_now() + make_interval(secs => ${UNDO_SECONDS})
    where id = any(${machines}::uuid[])`.execute(tx)
  await sql`
    update operation set held_until = portal_now() + make_interval(secs => ${UNDO_SECONDS})
    where machine_id = any(${machines}::uuid[]) and kind = 'stop' and closed_at is null`.execute(tx)
}

/**
 * Has machines run on that were wanted stopped a moment ago, all or none; answers the sentence to show.
 * @throws Problem conflict once the stop of one of them has gone out, and where a leash holds its training
 */
export async function undoStop(tx: Tx, actor: Actor, places: readonly Place[]): Promise<string> {
  const machines = await named(tx, actor, places, () => true)
  for (const { row } of machines) {
    const sentence = tooLate(row)
    if (sentence !== null) throw conflict(sentence)
  }
  await refuseLeashed(tx, trainingsOf(machines))
  await want(tx, idsOf(machines), 'running')
  const [only, ...more] = machines
  return more.length === 0 ? `${only!.row.name} runs on.` : `${machines.length} machines run on.`
}

function tooLate({ name, desired, observed, not_before }: LockedMachine): string | null {
  if (not_before !== null && observed === 'running') return null
  return desired === 'stopped' ? `It is too late to undo: ${name} is being stopped.` : `${name} is not being stopped.`
}
