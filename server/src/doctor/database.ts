import { sql } from 'kysely'
import { APP_ROLE } from '../db/client.ts'
import { INSERT_ONLY, pendingMigrations, READ_ONLY } from '../db/migrate.ts'
import type { Db } from '../db/schema.ts'
import { type Check, type Finding, green, greenUnless, red, type ToMend } from './check.ts'
import { clockFinding, timed } from './clock.ts'

const OLDEST = 150_000
const DURABLE = ['fsync', 'synchronous_commit', 'full_page_writes']

export interface DatabaseChecks {
  readonly all: readonly Check[]
  /** The database is there and of this version: its rows can be read. */
  readonly readable: Check
}

/**
 * @param db connected as the database's owner, and only to read
 * @param start brings the database up where that is ours to do
 */
export function databaseChecks(db: Db, start: () => Promise<void>): DatabaseChecks {
  const group = 'Database'
  const connection: Check = {
    group,
    name: 'connection',
    limit: 30_000,
    otherwise: 'Look at DATABASE_URL and at the server it names; without it, start the portal once with npm start.',
    async run() {
      await start()
      const { rows } = await sql<{ name: string; role: string }>`
        select current_database() as name, current_user as role`.execute(db)
      return green(`${rows[0]!.role} is connected to ${rows[0]!.name}.`)
    },
  }
  const migrated: Check = {
    group,
    name: 'this version',
    needs: [connection],
    otherwise: 'Run npm run migrate.',
    async run() {
      const pending = await pendingMigrations(db)
      return pending.length === 0
        ? green('Its tables are of this version.')
        : red(`Its tables are older than this program: ${pending.join(', ')} missing.`, 'Run npm run migrate.')
    },
  }
  const version: Check = {
    group,
    name: 'PostgreSQL',
    needs: [connection],
    otherwise: 'Look into the log of PostgreSQL.',
    async run() {
      const { server_version_num: number, server_version: shown } = await settingsOf(db, [
        'server_version_num',
        'server_version',
      ])
      return Number(number) >= OLDEST
        ? green(`Version ${shown}.`)
        : red(`It is version ${shown}.`, 'Use PostgreSQL 15 or newer: dump, install the newer one, restore.')
    },
  }
  const durability: Check = {
    group,
    name: 'durability',
    needs: [connection],
    otherwise: 'Look into the log of PostgreSQL.',
    async run() {
      const settings = await settingsOf(db, DURABLE)
      const problems = DURABLE.filter((name) => !isDurable(settings[name])).map((name) => ({
        what: `${name} is ${settings[name] ?? 'not known'}: a power cut loses what people were told is done.`,
        todo: `alter system set ${name} = on; select pg_reload_conf(); and look for it at the database and the role, too.`,
      }))
      return greenUnless(problems, `${DURABLE.join(', ')} are on.`)
    },
  }
  const roles: Check = {
    group,
    name: 'roles',
    needs: [migrated],
    otherwise: 'Run npm run migrate: it makes the roles and what they may do.',
    run: () => rolesFinding(db),
  }
  const clock: Check = {
    group,
    name: 'clock',
    needs: [migrated],
    otherwise: 'Run npm run migrate.',
    async run() {
      const { result, ...when } = await timed(() => sql<{ now: Date }>`select portal_now() as now`.execute(db))
      return clockFinding("The database's clock", result.rows[0]!.now, when)
    },
  }
  return { all: [connection, version, migrated, durability, roles, clock], readable: migrated }
}

/** `remote_apply` and its like promise more than `on`. */
const isDurable = (setting: string | undefined): boolean =>
  setting !== undefined && ['on', 'remote_apply', 'remote_write', 'local'].includes(setting)

async function settingsOf(db: Db, names: readonly string[]): Promise<Partial<Record<string, string>>> {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name = any(${names})`.execute(db)
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

async function rolesFinding(db: Db): Promise<Finding> {
  const { rows } = await sql<{ mighty: boolean; ours: boolean; owns: string[] }>`
    select rolsuper or rolbypassrls as mighty, pg_has_role(current_user, oid, 'member') as ours,
      array(select relname::text from pg_class where relowner = pg_roles.oid order by relname) as owns
    from pg_roles where rolname = ${APP_ROLE}`.execute(db)
  const [role] = rows
  if (role === undefined) return red(`There is no role ${APP_ROLE}.`, 'Run npm run migrate: it makes the role.')
  const problems: ToMend[] = []
  if (!role.ours) {
    problems.push({
      what: `This login can't work as ${APP_ROLE}.`,
      todo: `grant ${APP_ROLE} to the role of DATABASE_URL.`,
    })
  }
  if (role.mighty) {
    problems.push({
      what: `${APP_ROLE} is a superuser or passes row security: nothing is out of its reach.`,
      todo: `alter role ${APP_ROLE} nosuperuser nobypassrls;`,
    })
  }
  if (role.owns.length > 0) {
    problems.push({
      what: `${APP_ROLE} owns ${role.owns.slice(0, 3).join(', ')}: an owner may do anything with them.`,
      todo: 'reassign owned by it to the owner of the database.',
    })
  }
  const { rows: loose } = await sql<{ name: string }>`
    select name from unnest(${[...INSERT_ONLY, ...READ_ONLY]}::text[]) as name
    where has_table_privilege(${APP_ROLE}, name, 'update, delete, truncate')`.execute(db)
  for (const { name } of loose) {
    problems.push({
      what: `${APP_ROLE} may change rows of ${name}, which are history.`,
      todo: `Run npm run migrate: it takes back what was granted on ${name}.`,
    })
  }
  return greenUnless(problems, `${APP_ROLE} adds to the ledger and the audit, and changes nothing in them.`)
}
