import pg from 'pg'
import '@trainyard/platform/test/connect-modules.ts'
import { readConfig } from '@trainyard/platform/server/config/config.ts'
import { connect } from '@trainyard/platform/server/db/client.ts'
import { startEmbedded } from '@trainyard/platform/server/db/embedded/start-embedded.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { makeSeal, type Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { migrateDatabase } from '@trainyard/server/start/migrate-database.ts'
import { withoutIndexes } from './bulk.ts'
import { addCustomers } from './customers.ts'
import { addBalances, addLedger } from './ledger.ts'
import { addMachines } from './machines.ts'
import { addQuotas, addRuns, addRunTotals } from './runs.ts'
import type { Size } from './size.ts'

type Log = (line: string) => void

/** @throws Error if the data violates an invariant */
export async function seed(dataDir: string, size: Size, log: Log): Promise<void> {
  const { secrets } = readConfig({ TRAINYARD_DATA: dataDir })
  // An interrupted seed is restarted from the beginning, so its data need not survive a power failure.
  const embedded = await startEmbedded(dataDir, {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_wal_size: '8GB',
    wal_level: 'minimal',
    max_wal_senders: '0',
    shared_buffers: '1GB',
    work_mem: '256MB',
    // All tables are vacuumed at the end. Uncommitted rows cannot be vacuumed earlier.
    autovacuum: 'off',
  })
  try {
    await migrateDatabase(secrets)
    await fill(embedded.superuserUrl, size, makeSeal(secrets.keys), log)
    await timed(log, 'invariants', () => requireInvariants(embedded.url))
  } finally {
    await embedded.stop()
  }
}

/**
 * Opens a connection without triggers and foreign keys. The seed inserts the sums that triggers would compute, and
 * checks all invariants at the end.
 */
async function connectWithoutTriggers(superuserUrl: string): Promise<pg.Client> {
  const url = new URL(superuserUrl)
  url.pathname = '/trainyard'
  const db = new pg.Client({ connectionString: url.href })
  await db.connect()
  await db.query(`set session_replication_role = replica; set maintenance_work_mem = '512MB'`)
  return db
}

async function fill(superuserUrl: string, size: Size, seal: Seal, log: Log): Promise<void> {
  const machineDb = await connectWithoutTriggers(superuserUrl)
  const ledgerDb = await connectWithoutTriggers(superuserUrl)
  try {
    const { rows } = await machineDb.query('select from portal_user limit 1')
    if (rows.length > 0) throw new Error('This database already has users. Choose a new folder.')
    await timed(log, 'customers', () => addCustomers(machineDb, size))
    await Promise.all([
      (async () => {
        await timed(log, 'machines', () => addMachines(machineDb, size, seal))
        await timed(log, 'runs', () => withoutIndexes(machineDb, 'run', () => addRuns(machineDb)))
        await timed(log, 'sums of runs', () => addRunTotals(machineDb))
        await timed(log, 'quotas', () => addQuotas(machineDb))
      })(),
      (async () => {
        await timed(log, 'ledger', () => withoutIndexes(ledgerDb, 'ledger_entry', () => addLedger(ledgerDb, size)))
        await timed(log, 'balances', () => addBalances(ledgerDb))
      })(),
    ])
    await timed(log, 'statistics', () => machineDb.query('vacuum (analyze)'))
  } finally {
    await machineDb.end()
    await ledgerDb.end()
  }
}

async function requireInvariants(ownerUrl: string): Promise<void> {
  const owner = connect({ connectionString: ownerUrl }, { size: 1, as: 'owner' })
  try {
    const broken = await brokenInvariants(owner, { quiet: false })
    if (broken.length > 0) throw new Error(`Violated invariants: ${JSON.stringify(broken, null, 2)}`)
  } finally {
    await owner.destroy()
  }
}

async function timed(log: Log, name: string, callback: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  await callback()
  log(`  ${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}
