import type { Db } from '../server/db/schema.ts'
import { publishMachines } from '@trainyard/machines/server/publish.ts'

/** Stores an error of the provider with machines that had none, as the outcome of a step does. Default: all machines. */
export async function failMachines(db: Db, reason: string, name?: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const rows = await tx
      .updateTable('machine')
      .set({ last_error: reason })
      .where('last_error', 'is', null)
      .$if(name !== undefined, (query) => query.where('name', '=', name!))
      .returningAll()
      .execute()
    await publishMachines(
      tx,
      rows.map((after) => ({ before: { ...after, last_error: null }, after })),
    )
  })
}
