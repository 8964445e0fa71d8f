import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { Offers } from './cloud.ts'
import { upsertPlace, type OfferingPlace } from './queries.ts'

export async function recordOffers(db: Db, at: OfferingPlace, { sizes, limits }: Offers): Promise<void> {
  const { provider, location } = at
  await db.transaction().execute(async (tx) => {
    await upsertPlace(tx, at)
    for (const table of ['cloud_size', 'cloud_limit'] as const)
      await tx.deleteFrom(table).where('provider', '=', provider).where('location', '=', location).execute()
    if (sizes.length > 0)
      await tx
        .insertInto('cloud_size')
        .values(sizes.map(({ memoryMb, ...size }) => ({ provider, location, ...size, memory_mb: memoryMb })))
        .onConflict((on) => on.doNothing())
        .execute()
    if (limits.length > 0)
      await tx
        .insertInto('cloud_limit')
        .values(limits.map((limit) => ({ provider, location, ...limit })))
        .onConflict((on) => on.doNothing())
        .execute()
  })
}
