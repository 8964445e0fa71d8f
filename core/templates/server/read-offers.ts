import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { cloudOf, type Clouds } from './cloud.ts'
import { recordOffers } from './offers.ts'
import { selectImagesToRead, selectLocationsToRead, upsertTerms } from './queries.ts'

export async function readOffers(db: Db, clouds: Clouds, signal: AbortSignal): Promise<void> {
  const [{ rows: locations }, { rows: images }] = [await selectLocationsToRead(db), await selectImagesToRead(db)]
  const reads = [
    ...locations.map((at) => async () => {
      await recordOffers(db, at, await cloudOf(clouds, at.provider).getOffers(at.location, signal))
    }),
    ...images.map((of) => async () => {
      await upsertTerms(db, of, await cloudOf(clouds, of.provider).hasAcceptedTerms(of.image, signal))
    }),
  ]
  // Errors are collected, because one location that does not answer must not block the following locations.
  const errors: unknown[] = []
  for (const read of reads) {
    try {
      await read()
    } catch (error) {
      signal.throwIfAborted()
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
