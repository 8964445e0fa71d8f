import { setTimeout as sleep } from 'node:timers/promises'
import { connectAll } from '@trainyard/modules/server.ts'
import { counted } from '@trainyard/platform/contract/words/counted.ts'
import { ConfigError } from '@trainyard/platform/server/core/errors.ts'
import type { Config, Secrets } from '@trainyard/platform/server/config/config.ts'
import { withConnection } from '@trainyard/platform/server/db/client.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { KEY_FILE_DELAY_MS, newKey, writeKeyFile } from '@trainyard/platform/server/run/secrets/keys.ts'
import type { SealKeys } from '@trainyard/platform/server/run/secrets/seal.ts'
import {
  checkStoredSecrets,
  reencryptSecrets,
  requireReadableSecrets,
} from '@trainyard/platform/server/run/secrets/stored-secrets.ts'
import { selectNextTransaction, selectOldestTransaction } from './queries.ts'
import { withExistingDatabase } from './with-database.ts'
import { WrongUsage } from './wrong-usage.ts'

const USAGE = `Usage: npm run rotate -- secret-key          encrypts all stored secrets with a new key
       npm run rotate -- remove-old-keys     removes the keys that encrypt nothing`

/** Runs `npm run rotate`, also while the portal runs. Returns the message to print. @throws WrongUsage or ConfigError */
export async function rotateCommand(config: Config, secrets: Secrets, args: readonly string[]): Promise<string> {
  const [subject, ...extra] = args
  if ((subject !== 'secret-key' && subject !== 'remove-old-keys') || extra.length > 0) throw new WrongUsage(USAGE)
  connectAll()
  return withExistingDatabase(config, () =>
    withConnection({ connectionString: secrets.databaseUrl }, { size: 1, as: 'app' }, (db) =>
      subject === 'secret-key' ? rotate(db, config, secrets) : removeOldKeys(db, config, secrets),
    ),
  )
}

async function rotate(db: Db, { dataDir, lostKeys }: Config, { keys: given, keysInFile }: Secrets): Promise<string> {
  await requireReadableSecrets(db, given, { lost: lostKeys, logMessage: () => undefined })
  const stored = await checkStoredSecrets(db, given)
  // An interrupted rotation is continued.
  const isComplete = stored.every(({ keyId }) => keyId === given[0].id)
  if (!keysInFile && isComplete)
    return (
      `No stored secret needs another key than ${given[0].id}: nothing to do. To rotate again, put a new key first in ` +
      'SECRET_KEYS, restart API and worker, and run this command again.'
    )
  const keys: SealKeys = isComplete ? [newKey(), ...given] : given
  if (keysInFile) {
    writeKeyFile(dataDir, keys)
    await sleep(2 * KEY_FILE_DELAY_MS)
  }
  await waitForTransactions(db)
  const { changed, unreadable } = await reencryptSecrets(db, keys)
  return [
    `${counted(changed, 'stored secret')} ${changed === 1 ? 'is' : 'are'} now encrypted with the key ${keys[0].id}.`,
    ...(unreadable > 0
      ? [`${counted(unreadable, 'secret')} cannot be decrypted with any key, and nothing was changed there.`]
      : []),
    'Back up the keys. Older backups still need the former keys.',
    'Former keys still validate invitation links and known browsers: npm run rotate -- remove-old-keys ends both.',
  ].join('\n')
}

async function removeOldKeys(db: Db, { dataDir }: Config, { keys, keysInFile }: Secrets): Promise<string> {
  const [current, ...former] = keys
  const neededKeys = (await checkStoredSecrets(db, keys)).filter(({ keyId }) => keyId !== current.id)
  if (neededKeys.length > 0) {
    const ids = neededKeys.map(({ keyId }) => keyId).join(', ')
    throw new ConfigError(`Stored secrets still need the key ${ids}. Run npm run rotate -- secret-key first.`)
  }
  if (former.length === 0) return 'There is one key only. Nothing was removed.'
  const ids = former.map(({ id }) => id).join(', ')
  if (!keysInFile)
    return `No stored secret needs the key ${ids}: remove it from SECRET_KEYS and restart API and worker.`
  writeKeyFile(dataDir, [current])
  return `Removed the key ${ids}. Open invitations must be sent again, and browsers count as unknown at the next sign-in.`
}

/** Waits until the current transactions have ended, because they may still write secrets encrypted with a former key. */
async function waitForTransactions(db: Db): Promise<void> {
  const { rows } = await selectNextTransaction(db)
  const next = BigInt(rows[0]!.next)
  const hasEnded = async () => {
    const { rows } = await selectOldestTransaction(db)
    return BigInt(rows[0]!.oldest) >= next
  }
  while (!(await hasEnded())) await sleep(POLL_MS)
}

const POLL_MS = 200
