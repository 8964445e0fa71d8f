import type { Secrets } from '../config.ts'
import { connect } from '../db/client.ts'
import { migrate } from '../db/migrate.ts'

/** Brings the database to this version, as its owner. */
export async function migrateDatabase(secrets: Secrets): Promise<void> {
  const owner = connect({ connectionString: secrets.databaseUrl }, { size: 1, as: 'owner' })
  try {
    await migrate(owner)
  } finally {
    await owner.destroy()
  }
}
