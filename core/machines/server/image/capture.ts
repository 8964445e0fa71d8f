import { machineCapture } from './jobs.ts'
import { can } from '../../contract/machine-words.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { notFound, conflict } from '@trainyard/platform/server/core/errors.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { lockMachines } from '../record.ts'
import { viewOf } from '../view.ts'
import { machinesInScope } from '@trainyard/trainings/server/scope.ts'
import { insertCaptureOperation, markCapturing } from './queries.ts'
import { machinesChanged } from '@trainyard/trainings/server/machine-changes.ts'

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
  await insertCaptureOperation(tx, machine.id)
  await markCapturing(tx, machine.id)
  await machinesChanged(tx, [machine.id])
  await jobs.enqueue(tx, machineCapture, [{ image: id }])
  return ALERTS.imageInProgress
}
