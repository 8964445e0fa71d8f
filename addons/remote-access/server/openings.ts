import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Openings } from '@trainyard/machines/server/http.ts'
import { selectOpeningTimes, selectOpenings, deleteOpenings, type Measured } from './queries.ts'

export async function openingsByGroup(db: Db): Promise<Measured> {
  const { rows } = await selectOpeningTimes(db)
  return rows
}

export async function openingsOf(db: Db, machine: MachineId): Promise<Openings> {
  const { rows } = await selectOpenings(db, machine)
  return rows.map(({ at, median, p95, ...row }) => ({ ...row, at: at.toISOString(), usual: { median, p95 } }))
}

export async function deleteOldOpenings(tx: Tx): Promise<void> {
  await deleteOpenings(tx)
}
