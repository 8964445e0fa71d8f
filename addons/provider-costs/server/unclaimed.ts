import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { selectUnclaimed, selectOrphans, type Unclaimed, type Orphans } from './queries.ts'

export async function unclaimedOf(db: Db, month: string): Promise<Unclaimed> {
  const first = `${month}-01`
  const { rows } = await selectUnclaimed(db, first)
  return {
    count: rows[0]?.whole ?? 0, // The reply's schema removes `whole` from the rows.
    resources: [...rows],
  }
}

export async function orphansOf(db: Db): Promise<Orphans> {
  const { rows } = await selectOrphans(db)
  return {
    orphans: rows.map(({ since, organization, training, by, at, error, ...row }) => ({
      ...row,
      since: since.toISOString(),
      adoptedBy: organization === null ? null : { organization, trainingName: training },
      deletion: by === null ? null : { by, at: at!.toISOString(), error },
    })),
  }
}
