import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from '@trainyard/platform/server/db/client.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { TestDatabase } from '@trainyard/platform/test/database.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { queryDatabase } from '@trainyard/platform/test/query-database.ts'
import { insertSession } from '../start/test-product.ts'

export interface Installation {
  readonly database: Pick<TestDatabase, 'url' | 'drop'>
  readonly owner: Db
  readonly settings: NodeJS.ProcessEnv
  readonly url: string
  readonly token: string
  end(): Promise<void>
}

/** @param dir folder in which the data folder is created */
export async function installOn(dir: string, database: Pick<TestDatabase, 'url' | 'drop'>): Promise<Installation> {
  const owner = connect({ connectionString: database.url }, { size: 2, as: 'owner' })
  const data = mkdtempSync(join(dir, 'data-'))
  const port = await freePort()
  const token = await insertSession(owner, { role: 'superadmin', email: 'root@acme.test', organisation: null })
  return {
    database,
    owner,
    token,
    url: `http://127.0.0.1:${port}`,
    settings: {
      ...process.env,
      NODE_ENV: 'development',
      LOG_LEVEL: 'silent',
      TRAINYARD_DATA: data,
      DATABASE_URL: database.url,
      PORT: String(port),
      SECRET_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      RATE_LIMIT_FACTOR: '1000',
      DATABASE_CONNECTIONS: '4',
    },
    async end() {
      await owner.destroy()
      await database.drop()
    },
  }
}

export function run(main: string, { settings }: Pick<Installation, 'settings'>, ...args: string[]) {
  const child = spawn(process.execPath, [main, ...args], { env: settings, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part.toString()))
  const ended = new Promise<number | string>((resolve) => child.on('close', (code, signal) => resolve(code ?? signal!)))
  return { child, output: () => text, ended }
}

export async function result(main: string, at: Pick<Installation, 'settings'>, ...args: string[]) {
  const { ended, output } = run(main, at, ...args)
  return { code: await ended, text: output() }
}

export const versionOf = async ({ url }: Installation): Promise<string | null> =>
  fetch(`${url}/api/health`).then(
    async (reply) => ((await reply.json()) as { version: string }).version,
    () => null,
  )

export const change = ({ url, token }: Installation, name: string) =>
  fetch(`${url}/api/admin/organization`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ organization: name }),
    signal: AbortSignal.timeout(30_000),
  })

export const read = ({ url, token }: Installation) =>
  fetch(`${url}/api/admin/organization`, { headers: { authorization: `Bearer ${token}` } })

export const namesIn = async ({ owner }: Installation) =>
  (await owner.selectFrom('organisation').select('name').execute()).map(({ name }) => name)

/** Adds organisations until it is stopped. Returns those that were acknowledged, and the other replies. */
export function keepChanging(at: Installation) {
  const acknowledged: string[] = []
  const refused = new Set<string>()
  const stopping = new AbortController()
  const ended = (async () => {
    for (let number = 1; !stopping.signal.aborted; number += 1) {
      const name = `Customer ${number}`
      const reply = await change(at, name).catch(() => null)
      if (reply?.status === 200) acknowledged.push(name)
      else if (reply !== null) {
        const { message } = (await reply.json()) as { message: string }
        refused.add(`${reply.status} after ${reply.headers.get('retry-after')}: ${message}`)
      }
      await pause(20)
    }
  })()
  return {
    acknowledged,
    refused,
    async stop() {
      stopping.abort()
      await ended
    },
  }
}

/** Returns the phase of the upgrade in progress. */
export const phaseOf = async ({ database }: Installation): Promise<string> => {
  const rows = await queryDatabase(
    database.url,
    `select coalesce(upgrade->>'phase' || case when upgrade->>'backup' is null then '' else ', backed up' end, 'none') as phase
      from installation.installed`,
  )
  return (rows as { phase: string }[])[0]?.phase ?? 'none'
}
