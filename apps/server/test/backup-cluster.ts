import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@trainyard/platform/server/config/config.ts'
import { startEmbedded } from '@trainyard/platform/server/db/embedded/start-embedded.ts'
import { copyTestCluster } from '@trainyard/platform/server/db/embedded/test-cluster.ts'
import { migrateDatabase } from '../start/migrate-database.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'

export const SECRET_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`

/** Starts an embedded database in a folder `data`, next to which tests create their backups. */
export async function startBackupCluster() {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-backup-'))
  chmodSync(dir, 0o755)
  const dataDir = join(dir, 'data')
  const settings = { TRAINYARD_DATA: dataDir, SECRET_KEYS }
  await copyTestCluster(dataDir)
  const { url, stop } = await startEmbedded(dataDir)
  await migrateDatabase(readConfig(settings).secrets)
  return {
    dir,
    dataDir,
    settings,
    url,
    async stop() {
      await stop()
      removeFolder(dir)
    },
  }
}
