import pg from 'pg'
import { brokenInvariants } from '../../invariants/check.ts'
import { checkStoredSecrets } from '../../run/secrets/stored-secrets.ts'
import type { SealKeys } from '../../run/secrets/seal.ts'
import { withConnection } from '../client.ts'
import type { Db } from '../schema.ts'
import { backUp, type BackupPlan, removeExpired } from './back-up.ts'
import { NoBackup } from './no-backup.ts'
import { backupName, backupsIn } from './retention.ts'
import { load } from './restore.ts'

export interface RestoreTest {
  /** Login that may create databases on the server of the portal's database. */
  readonly creatorUrl: string
  /** Login of the owner, in the portal's database. */
  readonly ownerUrl: string
  /** Creates the tables of this version. */
  readonly createTables: (owner: Db) => Promise<void>
  readonly secrets: SealKeys
  /** IDs of keys that the operator has lost. */
  readonly lostKeys: readonly string[]
}

/**
 * Makes a backup, restores it into a new database of the same server, and checks the invariants and the stored secrets
 * there. Returns false if the portal has made no backup yet.
 * @throws NoBackup with what the test found
 */
export async function verifyRestore(
  connect: () => pg.Client,
  plan: BackupPlan,
  test: RestoreTest,
  now = new Date(),
): Promise<boolean> {
  if ((await backupsIn(plan.store)).length === 0) return false
  const { name, identity } = await backUp(connect, plan, backupName(now))
  const scratch = await scratchDatabase(test)
  const connection = { connectionString: scratch.url }
  try {
    await withConnection(connection, { size: 1, as: 'owner' }, async (db) => {
      await test.createTables(db)
      await load(db, plan.store, name, identity)
      await requireWhole(db, name, test)
    })
  } finally {
    await scratch.drop()
  }
  // Only a backup that was restored takes the place of another one of the day.
  await removeExpired(plan)
  return true
}

async function requireWhole(db: Db, name: string, { secrets, lostKeys }: RestoreTest): Promise<void> {
  const violated = await brokenInvariants(db, { quiet: false })
  if (violated.length > 0) {
    throw new NoBackup(`${name} restores, but violates ${violated.map((each) => each.name).join(', ')}.`)
  }
  const unreadable = (await checkStoredSecrets(db, secrets)).filter(
    ({ keyId, tried, opened }) => opened < tried && !lostKeys.includes(keyId),
  )
  if (unreadable.length > 0) {
    const keys = unreadable.map(({ keyId }) => keyId).join(', ')
    throw new NoBackup(`${name} restores, but stored secrets need the key ${keys}, which is not configured.`)
  }
}

/** Creates an empty database next to the portal's, in place of one that a killed test left. */
async function scratchDatabase({ creatorUrl, ownerUrl }: RestoreTest) {
  const { database, owner } = await loginOf(ownerUrl)
  const url = new URL(ownerUrl)
  const name = `${database}_restore_test`
  const quoted = pg.escapeIdentifier(name)
  url.pathname = `/${encodeURIComponent(name)}`
  const client = new pg.Client({ connectionString: creatorUrl })
  client.on('error', () => undefined)
  await client.connect()
  const drop = () => client.query(`drop database if exists ${quoted} with (force)`)
  try {
    await drop()
    await client.query(
      `create database ${quoted} owner ${pg.escapeIdentifier(owner)} encoding 'UTF8' template template0`,
    )
  } catch (error) {
    await client.end()
    if ((error as { code?: string }).code !== '42501') throw error
    throw new NoBackup(
      'The restore test needs a database of its own, and the owner may not create one: alter role ... createdb.',
      { cause: error },
    )
  }
  return {
    url: url.href,
    async drop() {
      try {
        await drop()
      } finally {
        await client.end()
      }
    },
  }
}

async function loginOf(ownerUrl: string): Promise<{ readonly database: string; readonly owner: string }> {
  const client = new pg.Client({ connectionString: ownerUrl })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ database: string; owner: string }>(
      'select current_database() as database, current_user as owner',
    )
    return rows[0]!
  } finally {
    await client.end()
  }
}
