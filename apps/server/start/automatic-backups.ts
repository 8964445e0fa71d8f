import pg from 'pg'
import type { Config, Secrets } from '@trainyard/platform/server/config/config.ts'
import { backUpDaily as backUpWhenDue, type BackupPlan } from '@trainyard/platform/server/db/backup/back-up.ts'
import { folderStore } from '@trainyard/platform/server/db/backup/folder-store.ts'
import { s3Store } from '@trainyard/platform/server/db/backup/s3-store.ts'
import type { BackupStore } from '@trainyard/platform/server/db/backup/store.ts'
import { verifyRestore as verifyRestoreOf } from '@trainyard/platform/server/db/backup/verify-restore.ts'
import { embeddedPlace } from '@trainyard/platform/server/db/embedded/place.ts'
import { egressFetch } from '@trainyard/platform/server/providers/egress.ts'
import { createAllTables } from './migrate-database.ts'

/** Returns the place of the automatic backups; null: none is set. */
export function backupStoreOf({ backups }: Config, secrets: Secrets): BackupStore | null {
  const { folder, s3 } = backups
  if (s3 !== null) return s3Store({ ...s3, secretKey: secrets.backupSecretKey! }, egressFetch(secrets.egressProxy))
  return folder === null ? null : folderStore(folder)
}

/** Opens a connection of the app's role, which may read all tables. */
export const connectForBackup = (secrets: Secrets) => (): pg.Client =>
  new pg.Client({ connectionString: secrets.databaseUrl, application_name: 'trainyard backup' })

const planOf = (config: Config, secrets: Secrets): BackupPlan => ({
  store: backupStoreOf(config, secrets)!,
  keys: secrets.keys.map(({ id }) => id),
  recipient: config.backups.recipient,
  keep: config.backups.keep,
})

export const backUpDaily = (config: Config, secrets: Secrets): Promise<void> =>
  backUpWhenDue(connectForBackup(secrets), planOf(config, secrets), new Date())

export const verifyRestore = (config: Config, secrets: Secrets): Promise<boolean> =>
  verifyRestoreOf(connectForBackup(secrets), planOf(config, secrets), {
    ownerUrl: secrets.ownerUrl!,
    // The owner of the embedded database may not create databases.
    creatorUrl: config.database.kind === 'embedded' ? embeddedPlace(config.dataDir).superuserUrl : secrets.ownerUrl!,
    createTables: createAllTables,
    secrets: secrets.keys,
    lostKeys: config.lostKeys,
  })
