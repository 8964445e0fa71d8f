import type { OwnClass } from '../contract/classroom.ts'
import type { MachineId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { selectOwnClasses, selectOwnMachines } from './queries.ts'
import { announcementOf, iso } from './rows.ts'

export async function ownClasses(db: Db, actor: Actor): Promise<OwnClass[]> {
  const { rows } = await selectOwnClasses(db, actor)
  return rows.map((row) => ({
    trainingName: row.name,
    announcement: announcementOf(row),
    handRaisedAt: iso(row.raised_at),
    handReason: row.reason,
    handPlace: row.place,
    machines: row.machines.map(({ name, stops_at }) => ({
      vmName: name,
      stopsAt: stops_at === null ? null : new Date(stops_at).toISOString(),
    })),
    nextStopAt: iso(row.next_stop_at),
  }))
}

export async function ownMachines(db: Db, actor: Actor): Promise<{ id: MachineId; training: TrainingId }[]> {
  const { rows } = await selectOwnMachines(db, actor)
  return rows
}
