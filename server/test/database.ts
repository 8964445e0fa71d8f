import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { connect } from '../src/db/client.ts'
import { migrate } from '../src/db/migrate.ts'
import { appLoginOf, urlAs } from '../src/db/roles.ts'

export interface TestDatabase {
  readonly name: string
  /** Connection string as the database's owner: not a superuser, as in production. */
  readonly url: string
  /** Connection string as API and worker log in. */
  readonly appUrl: string
  /** Ends every connection and drops it. */
  drop(): Promise<void>
}

const TEMPLATE = 'trainyard_template'

/**
 * A fresh, migrated database in the run's cluster, for one test file.
 * @param cluster what `inject('testCluster')` says
 * @param template another that nobody is connected to, to begin with all that it holds
 */
export async function createTestDatabase(cluster: string, template = TEMPLATE): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await asSuperuser(cluster, async (client) => {
    // Copied as files: by way of the log, which is PostgreSQL's own choice, it takes twice the time, and so does the drop.
    await client.query(`create database ${name} template ${template} owner trainyard strategy file_copy`)
    // A copy has all of the template but the rights on the database itself.
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

/** An empty database of the same owner, as an operator makes it before the first start. */
export async function createEmptyDatabase(cluster: string): Promise<Pick<TestDatabase, 'url' | 'drop'>> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await asSuperuser(cluster, (client) => client.query(`create database ${name} owner trainyard`))
  return {
    url: urlOf(cluster, name),
    drop: () => asSuperuser(cluster, (client) => client.query(`drop database if exists ${name} with (force)`)),
  }
}

/** Makes the migrated database that all others are copies of. */
export async function makeTemplate(cluster: string): Promise<void> {
  await asSuperuser(cluster, (client) => client.query(`create database ${TEMPLATE} owner trainyard`))
  const owner = connect({ connectionString: urlOf(cluster, TEMPLATE) }, { size: 1, as: 'owner' })
  try {
    await migrate(owner)
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

async function asSuperuser(cluster: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: cluster })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
