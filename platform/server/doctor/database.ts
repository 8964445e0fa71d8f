import { changeableHistory, historyRiskOf } from '../db/app-access.ts'
import { missingTables } from '../db/migrate.ts'
import type { Db } from '../db/schema.ts'
import { brokenInvariants, countInvariants } from '../invariants/check.ts'
import type { SealKey } from '../run/secrets/seal.ts'
import { checkStoredSecrets, noneReadable, someUnreadable } from '../run/secrets/stored-secrets.ts'
import { type Check, type Finding, green, greenUnless, red, type Defect } from './check.ts'
import { clockFinding, timed } from './clock.ts'
import { portalNow } from '../db/client.ts'
import { selectDatabaseAndRole, selectSettings, selectSessionRole } from './queries.ts'

const OLDEST = 150_000
const DURABLE = ['fsync', 'synchronous_commit', 'full_page_writes']

export interface DatabaseChecks {
  readonly all: readonly Check[]
  readonly readable: Check
}

/**
 * @param db read-only connection with the login of API and worker
 * @param start starts the database if it is the embedded database
 * @param keys configured keys
 * @param lost IDs of the keys that the operator has declared lost
 */
export function databaseChecks(
  db: Db,
  start: () => Promise<void>,
  { keys, lost }: { readonly keys: readonly [SealKey, ...SealKey[]]; readonly lost: readonly string[] },
): DatabaseChecks {
  const group = 'Database'
  const connection: Check = {
    group,
    name: 'connection',
    limit: 30_000,
    otherwise:
      'Check DATABASE_URL and its server, and run npm run migrate. Without DATABASE_URL, start the portal once with npm start.',
    async run() {
      await start()
      const { rows } = await selectDatabaseAndRole(db)
      return green(`${rows[0]!.role} is connected to ${rows[0]!.name}.`)
    },
  }
  const migrated: Check = {
    group,
    name: 'schema version',
    needs: [connection],
    otherwise: 'Run npm run migrate.',
    async run() {
      const missing = await missingTables(db)
      return missing.length === 0
        ? green('The schema is up to date.')
        : red(
            `The schema is older than this program: the tables of ${missing.join(', ')} are missing.`,
            'Run npm run upgrade.',
          )
    },
  }
  const version: Check = {
    group,
    name: 'PostgreSQL',
    needs: [connection],
    otherwise: "Check PostgreSQL's log.",
    async run() {
      const { server_version_num: number, server_version: versionText } = await settingsOf(db, [
        'server_version_num',
        'server_version',
      ])
      return Number(number) >= OLDEST
        ? green(`Version ${versionText}.`)
        : red(
            `The server is version ${versionText}.`,
            'Use PostgreSQL 15 or newer: dump, install the newer one, restore.',
          )
    },
  }
  const durability: Check = {
    group,
    name: 'durability',
    needs: [connection],
    otherwise: "Check PostgreSQL's log.",
    async run() {
      const settings = await settingsOf(db, DURABLE)
      const problems = DURABLE.filter((name) => !isDurable(settings[name])).map((name) => ({
        what: `${name} is ${settings[name] ?? 'unknown'}: a power failure loses committed changes.`,
        todo: `alter system set ${name} = on; select pg_reload_conf(); also check the settings of the database and the role.`,
      }))
      return greenUnless(problems, `${DURABLE.join(', ')} are on.`)
    },
  }
  const roles: Check = {
    group,
    name: 'roles',
    needs: [migrated],
    otherwise: 'Run npm run migrate: it creates the roles and their privileges.',
    run: () => rolesFinding(db),
  }
  const clock: Check = {
    group,
    name: 'clock',
    needs: [migrated],
    otherwise: 'Run npm run migrate.',
    async run() {
      const { result, ...when } = await timed(() => portalNow(db))
      return clockFinding("The database's clock", result, when)
    },
  }
  const invariants: Check = {
    group,
    name: 'invariants',
    needs: [migrated],
    // The check takes six minutes for a database of a million machines.
    limit: 900_000,
    otherwise: 'Run npm run invariants, which has no time limit.',
    async run() {
      const broken = await brokenInvariants(db, { quiet: false })
      return greenUnless(
        broken.map(({ name, description, rows }) => ({
          what: `${name} is violated: ${description} First row: ${JSON.stringify(rows[0])}`,
          todo: 'Run npm run invariants for more rows, and report them as a bug. Correct nothing in the database by hand.',
        })),
        `All ${countInvariants({ quiet: false })} hold.`,
      )
    },
  }
  const encryption: Check = {
    group,
    name: 'stored secrets',
    needs: [migrated],
    otherwise: 'Run npm run migrate.',
    run: () => secretsFinding(db, keys, lost),
  }
  return { all: [connection, version, migrated, durability, roles, clock, encryption, invariants], readable: migrated }
}

/**
 * Returns true if commits are durable. All values except `off` flush a commit to the local disk before it is
 * acknowledged.
 */
const isDurable = (setting: string | undefined): boolean =>
  setting !== undefined && ['on', 'remote_apply', 'remote_write', 'local'].includes(setting)

async function settingsOf(db: Db, names: readonly string[]): Promise<Partial<Record<string, string>>> {
  const { rows } = await selectSettings(db, names)
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

async function rolesFinding(db: Db): Promise<Finding> {
  const { rows } = await selectSessionRole(db)
  const { role } = rows[0]!
  const problems: Defect[] = []
  const power = await historyRiskOf(db, role)
  if (power !== null) {
    problems.push({
      what: `${role}, which API and worker log in as, ${power}.`,
      todo: 'Set DATABASE_APP_URL to a role that owns nothing, or unset it, and run npm run migrate.',
    })
  }
  for (const name of power === null ? await changeableHistory(db, role) : []) {
    problems.push({
      what: `${role} can change rows of ${name}, which are history.`,
      todo: `Run npm run migrate: it revokes the privileges on ${name}, or names the login to replace.`,
    })
  }
  return greenUnless(problems, `${role} can only append to the ledger and the audit.`)
}

async function secretsFinding(
  db: Db,
  keys: readonly [SealKey, ...SealKey[]],
  lost: readonly string[],
): Promise<Finding> {
  const found = await checkStoredSecrets(db, keys)
  const missing = found.filter(({ keyId, tried, opened }) => opened < tried && !lost.includes(keyId))
  if (missing.length === 0) {
    const count = found.reduce((sum, { stored }) => sum + stored, 0)
    return green(
      `${count === 0 ? 'There are none yet' : `${count}, which the configured keys decrypt`}: ${keys.map(({ id }) => id).join(', ')}.`,
    )
  }
  const isNone = found.every(({ opened }) => opened === 0)
  return red(
    isNone ? noneReadable(found, keys) : someUnreadable(missing),
    `Add the ${missing.length === 1 ? 'key' : 'keys'} ${missing.map(({ keyId }) => keyId).join(', ')} to SECRET_KEYS or secret.key.`,
  )
}
