import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { upsertInput, recordInputStretches } from './queries.ts'
import { activityChanged } from '@trainyard/trainings/server/machine-changes.ts'

export async function recordMachineUse(db: Db, machines: readonly MachineId[]): Promise<void> {
  if (machines.length === 0) return
  await db.transaction().execute(async (tx) => {
    const { rows } = await upsertInput(tx, machines)
    await activityChanged(
      tx,
      rows.map(({ id }) => id),
    )
  })
}

/** Records input in the remote sessions, for the attendance. A pause of some minutes does not end a period of input. */
export async function recordRemoteSessionInput(db: Db, sessions: readonly string[]): Promise<void> {
  if (sessions.length === 0) return
  await recordInputStretches(db, sessions)
}
