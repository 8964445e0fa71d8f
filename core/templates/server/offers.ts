import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { Offers, Plan } from './cloud.ts'
import { selectLocationsToRead, selectPlansToRead, upsertPlace, upsertTerms } from './queries.ts'

export async function locationsToRead(db: Db): Promise<string[]> {
  const { rows } = await selectLocationsToRead(db)
  return rows.map(({ location }) => location)
}

export async function plansToRead(db: Db): Promise<Plan[]> {
  const { rows } = await selectPlansToRead(db)
  return rows
}

export async function recordOffers(db: Db, location: string, { sizes, limits }: Offers): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await upsertPlace(tx, location)
    await tx.deleteFrom('cloud_size').where('location', '=', location).execute()
    await tx.deleteFrom('cloud_limit').where('location', '=', location).execute()
    if (sizes.length > 0)
      await tx
        .insertInto('cloud_size')
        .values(sizes.map(({ memoryMb, ...size }) => ({ location, ...size, memory_mb: memoryMb })))
        .onConflict((on) => on.doNothing())
        .execute()
    if (limits.length > 0)
      await tx
        .insertInto('cloud_limit')
        .values(limits.map((limit) => ({ location, ...limit })))
        .onConflict((on) => on.doNothing())
        .execute()
  })
}

export async function recordTerms(db: Db, { publisher, product, name }: Plan, accepted: boolean): Promise<void> {
  await upsertTerms(db, publisher, product, name, accepted)
}
