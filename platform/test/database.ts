import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { connect } from '../server/db/client.ts'
import { appLoginOf, urlAs } from '../server/db/roles.ts'
import { migrateAll } from '@trainyard/server/start/migrate-database.ts'

export interface TestDatabase {
  readonly name: string
  /** Connection string of the database's owner, which is not a superuser, as in production. */
  readonly url: string
  /** Connection string of the role that API and worker use. */
  readonly appUrl: string
  drop(): Promise<void>
}

const TEMPLATE = 'trainyard_template'

/**
 * Creates a migrated database in the run's cluster, for one test file.
 * @param cluster the value of `inject('testCluster')`
 * @param template a database without connections whose content is copied
 */
export async function createTestDatabase(cluster: string, template = TEMPLATE): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await asSuperuser(cluster, async (client) => {
    // file_copy takes half the time of PostgreSQL's default strategy (WAL), for the creation and for the drop.
    await client.query(`create database ${name} template ${template} owner trainyard strategy file_copy`)
    // A copy does not include the privileges on the database itself.
    await client.query(`revoke temporary on database ${name} from public`)
  })
  const url = urlOf(cluster, name)
  return {
    name,
    url,
    appUrl: urlAs(url, appLoginOf(url)),
    drop: () => asSuperuser(cluster, (client) => client.query(`drop database if exists ${name} with (force)`)),
  }
}

/** Creates an empty database of the same owner, as an operator does before the first start. */
export async function createEmptyDatabase(cluster: string): Promise<Pick<TestDatabase, 'url' | 'drop'>> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await asSuperuser(cluster, (client) => client.query(`create database ${name} owner trainyard`))
  return {
    url: urlOf(cluster, name),
    drop: () => asSuperuser(cluster, (client) => client.query(`drop database if exists ${name} with (force)`)),
  }
}

/** Creates the migrated database that is copied for each test. */
export async function makeTemplate(cluster: string): Promise<void> {
  await asSuperuser(cluster, (client) => client.query(`create database ${TEMPLATE} owner trainyard`))
  const owner = connect({ connectionString: urlOf(cluster, TEMPLATE) }, { size: 1, as: 'owner' })
  try {
    await migrateAll(owner)
  } finally {
    await owner.destroy()
  }
}

function urlOf(cluster: string, database: string): string {
  const url = new URL(cluster)
  url.username = 'trainyard'
  url.pathname = `/${database}`
  return url.href
}

async function asSuperuser(cluster: string, callback: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: cluster })
  await client.connect()
  try {
    await callback(client)
  } finally {
    await client.end()
  }
}
