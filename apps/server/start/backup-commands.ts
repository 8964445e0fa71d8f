import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { connectAll } from '@trainyard/modules/server.ts'
import { makePrivateFolder } from '@trainyard/platform/server/run/files/private-folder.ts'
import type { Config, Secrets } from '@trainyard/platform/server/config/config.ts'
import { withConnection } from '@trainyard/platform/server/db/client.ts'
import { backUp } from '@trainyard/platform/server/db/embedded/backup/back-up.ts'
import { backupName } from '@trainyard/platform/server/db/embedded/backup/daily.ts'
import { lockFolder } from '@trainyard/platform/server/run/files/folder-lock.ts'
import { NoBackup } from '@trainyard/platform/server/db/embedded/backup/manifest.ts'
import { restore } from '@trainyard/platform/server/db/embedded/backup/restore.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { requireReadableSecrets } from '@trainyard/platform/server/run/secrets/stored-secrets.ts'
import { withDatabase, withExistingDatabase } from './with-database.ts'
import { WrongUsage } from './wrong-usage.ts'

function requireEmbedded({ database }: Config, verb: string): void {
  if (database.kind === 'server') {
    throw new NoBackup(
      `The database is an external server: ${verb} it with PostgreSQL's own tools, see docs/operate.md.`,
    )
  }
}

/** Backs up the embedded database, running or not (`npm run backup [-- FOLDER]`). Returns a message to print. */
export async function backupCommand(
  config: Config,
  { keys }: Secrets,
  [to, ...extra]: readonly string[],
): Promise<string> {
  requireEmbedded(config, 'back up')
  if (extra.length > 0 || to?.startsWith('-') === true) {
    throw new WrongUsage('Name at most one folder: npm run backup [-- FOLDER]')
  }
  const folder =
    to === undefined ? join(config.backups.folder, backupName(new Date())) : resolve(config.invocationDir, to)
  const ids = keys.map(({ id }) => id)
  const { recipient } = config.backups
  const { until, files } = await withExistingDatabase(config, () =>
    backUp(config.dataDir, folder, { keys: ids, recipient }),
  )
  const megabytes = Math.ceil(files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6)
  return (
    `Backed up to ${folder}: ${megabytes} MB, with all changes committed until ${until}. ` +
    (recipient === null ? '' : `It is encrypted for ${recipient}. `) +
    `It needs the key ${ids.join(', ')}: copy the backup to another machine, and SECRET_KEYS or secret.key to a ` +
    'different place.'
  )
}

function parseRestore(args: readonly string[]): { readonly from: string; readonly identityFile: string | undefined } {
  const usage = 'Name the backup: npm run restore -- FOLDER [--identity FILE]'
  try {
    const options = { identity: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [from, ...extra] = positionals
    if (from !== undefined && extra.length === 0) return { from, identityFile: values.identity }
  } catch (error) {
    throw new WrongUsage(`${(error as Error).message}\n${usage}`, { cause: error })
  }
  throw new WrongUsage(usage)
}

/** Returns the secret key of a file that `age-keygen` wrote. */
function ageKeyIn(file: string): string {
  try {
    const key = /^AGE-SECRET-KEY-\S+$/m.exec(readFileSync(file, 'utf8'))?.[0]
    if (key !== undefined) return key
  } catch (error) {
    throw new NoBackup(`${file} cannot be read: ${(error as Error).message}`)
  }
  throw new NoBackup(`${file} has no age key: a line that starts with AGE-SECRET-KEY-.`)
}

/** Restores a backup (`npm run restore -- FOLDER`). TRAINYARD_DATA must not contain a database. */
export async function restoreCommand(config: Config, secrets: Secrets, args: readonly string[]): Promise<string> {
  requireEmbedded(config, 'restore')
  connectAll()
  const { from, identityFile } = parseRestore(args)
  const identity = identityFile === undefined ? null : ageKeyIn(resolve(config.invocationDir, identityFile))
  makePrivateFolder(config.dataDir)
  // The lock prevents a second restore, which would remove the files of the first.
  const folder = await lockFolder(config.dataDir, 'command')
  const keys = [...secrets.keys.map(({ id }) => id), ...config.lostKeys]
  const { until } = await restore(resolve(config.invocationDir, from), config.dataDir, keys, identity).finally(() =>
    folder.unlock(),
  )
  const output: string[] = []
  const violations = await withDatabase(config, () =>
    withConnection({ connectionString: secrets.ownerUrl! }, { size: 1, as: 'owner' }, async (db) => {
      await requireReadableSecrets(db, secrets.keys, {
        lost: config.lostKeys,
        logMessage: (text) => void output.push(text),
      })
      return brokenInvariants(db, { quiet: false })
    }),
  )
  if (violations.length > 0) {
    throw new NoBackup(
      `Restored, but the data violates invariants: ${violations.map(({ name, description }) => `${name} (${description})`).join(', ')}`,
    )
  }
  return [
    `Restored to ${config.dataDir} as of ${until}; all invariants hold. Run npm start to continue.`,
    ...output,
  ].join('\n')
}
