import { machineCapture } from './jobs.ts'
import { can } from '@trainyard/contract/words/machine.ts'
import { ALERTS } from '@trainyard/contract/words/problems.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { notFound, conflict } from '../../../core/errors.ts'
import type { JobQueue } from '../../../jobs/jobs.ts'
import { lockMachines } from '../machine/record.ts'
import { viewOf } from '../machine/view.ts'
import { machinesInScope } from '../training/scope.ts'
import { markCapturing } from './queries.ts'
import { machinesChanged } from '../training/machine-changes.ts'

/** @throws Problem notFound; conflict if the machine is not stopped or is already being captured */
export async function captureMachine(tx: Tx, actor: Actor, vm: string, jobs: JobQueue): Promise<string> {
  const found = await machinesInScope(tx, actor).select('id').where('name', '=', vm).executeTakeFirst()
  const [machine] = found === undefined ? [] : await lockMachines(tx, [found.id])
  if (machine === undefined) throw notFound('machine')
  const may = can.capture(viewOf({ ...machine, seconds: 0 }, null))
  if (may !== true) throw conflict(may)
  const { id } = await tx
    .insertInto('image')
    .values({ organisation_id: machine.organisation_id, machine_id: machine.id, asked_by: actor.email })
    .returning('id')
    .executeTakeFirstOrThrow()
  await markCapturing(tx, machine.id)
  await machinesChanged(tx, [machine.id])
  await jobs.enqueue(tx, machineCapture, [{ image: id }])
  return ALERTS.imageInProgress
}
