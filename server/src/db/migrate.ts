import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { letAppIn } from './app-access.ts'
import { installJobs } from './job-tables.ts'
import * as foundation from './migrations/001-foundation.ts'
import * as machines from './migrations/002-machines.ts'
import * as invitations from './migrations/003-invitations.ts'
import * as reconciler from './migrations/010-reconciler.ts'
import * as operations from './migrations/020-operations.ts'
import * as portRules from './migrations/021-port-rules.ts'
import * as scheduleOutcomes from './migrations/022-schedule-outcomes.ts'
import * as securityGroupQueue from './migrations/023-security-group-queue.ts'
import * as azureSandboxes from './migrations/030-azure-sandboxes.ts'
import * as awsSandboxes from './migrations/031-aws-sandboxes.ts'
import * as remoteAccess from './migrations/032-remote-access.ts'
import * as pacing from './migrations/033-pacing.ts'
import * as preflight from './migrations/034-preflight.ts'
import * as ledger from './migrations/040-ledger.ts'
import * as payments from './migrations/041-payments.ts'
import * as search from './migrations/042-search.ts'
import * as ledgerBalance from './migrations/044-ledger-balance.ts'
import * as metering from './migrations/045-metering.ts'
import * as snapshots from './migrations/046-snapshots.ts'
import * as removedTrainings from './migrations/047-removed-trainings.ts'
import * as counts from './migrations/048-counts.ts'
import * as accountIndex from './migrations/049-account-index.ts'
import * as learnersMachines from './migrations/050-learners-machines.ts'
import * as refused from './migrations/051-refused.ts'
import * as notPriced from './migrations/052-not-priced.ts'
import * as settledAndFailing from './migrations/055-settled-and-failing.ts'
import * as clock from './migrations/056-clock.ts'
import * as definers from './migrations/060-definers.ts'
import * as loginLanes from './migrations/061-login-lanes.ts'
import * as creditedPayments from './migrations/062-credited-payments.ts'
import * as sandboxCredits from './migrations/065-sandbox-credits.ts'
import * as tasks from './migrations/066-tasks.ts'
import * as words from './migrations/068-words.ts'
import { APP_ROLE, type Login } from './roles.ts'
import type { Db } from './schema.ts'

const migrations: Record<string, Migration> = {
  '001-foundation': foundation,
  '002-machines': machines,
  '003-invitations': invitations,
  '010-reconciler': reconciler,
  '020-operations': operations,
  '021-port-rules': portRules,
  '022-schedule-outcomes': scheduleOutcomes,
  '023-security-group-queue': securityGroupQueue,
  '030-azure-sandboxes': azureSandboxes,
  '031-aws-sandboxes': awsSandboxes,
  '032-remote-access': remoteAccess,
  '033-pacing': pacing,
  '034-preflight': preflight,
  '040-ledger': ledger,
  '041-payments': payments,
  '042-search': search,
  '044-ledger-balance': ledgerBalance,
  '045-metering': metering,
  '046-snapshots': snapshots,
  '047-removed-trainings': removedTrainings,
  '048-counts': counts,
  '049-account-index': accountIndex,
  '050-learners-machines': learnersMachines,
  '051-refused': refused,
  '052-not-priced': notPriced,
  '055-settled-and-failing': settledAndFailing,
  '056-clock': clock,
  '060-definers': definers,
  '061-login-lanes': loginLanes,
  '062-credited-payments': creditedPayments,
  '065-sandbox-credits': sandboxCredits,
  '066-tasks': tasks,
  '068-words': words,
}

/**
 * Brings the database to this version. Any number of processes may do so at once.
 * @param app what API and worker log in as; a role of another name is the operator's own, and its password theirs to set
 */
export async function migrate(owner: Db, app: Login = { role: APP_ROLE, password: null }): Promise<void> {
  await owner.connection().execute(async (db) => {
    // Each step takes turns by itself, but for the making of the jobs' queues: its loser's transaction is aborted.
    await sql`select pg_advisory_lock(hashtext('trainyard migrations'))`.execute(db)
    try {
      const { error } = await migratorOf(db).migrateToLatest()
      if (error !== undefined) throw error
      await installJobs(db)
      await letAppIn(db, app)
    } finally {
      await sql`select pg_advisory_unlock(hashtext('trainyard migrations'))`.execute(db)
    }
  })
}

/** Names of the migrations that the database has not seen; asking changes nothing. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const known = await migratorOf(db).getMigrations()
  return known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
}

/** All migrations, in their order, of this database; tests go as far as they want. */
export const migratorOf = (db: Db): Migrator =>
  new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    // Parts of the portal number their migrations in ranges of their own: one may come after a higher number.
    allowUnorderedMigrations: true,
  })
