import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRoot, osUserFor, runAs } from '../server/db/embedded/place.ts'
import { freePort } from './ports.ts'
import { removeFolder } from './remove-folder.ts'

/** Debian's path of pgbouncer. The environment variable PGBOUNCER overrides it. */
const PGBOUNCER = process.env['PGBOUNCER'] ?? '/usr/sbin/pgbouncer'

/** Returns the reason why PgBouncer cannot run on this machine; null if it can. */
export const whyNoPooler = (): string | null => (existsSync(PGBOUNCER) ? null : `${PGBOUNCER} does not exist`)

export interface Pooler {
  /** Connection string of the pooled database, with the same login. */
  readonly url: string
  stop(): Promise<void>
}

/** Starts PgBouncer in front of a database. */
export async function startPooler(databaseUrl: string, mode: 'session' | 'transaction'): Promise<Pooler> {
  const poolerUrl = new URL(databaseUrl)
  const database = poolerUrl.pathname.slice(1)
  const user = poolerUrl.username
  const folder = mkdtempSync(join(tmpdir(), 'trainyard-pgbouncer-'))
  const port = await freePort()
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
    ignore_startup_parameters: 'options,extra_float_digits',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const host = poolerUrl.searchParams.get('host')!
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]\n${database} = host=${host} user=${user}\n[pgbouncer]\n${lines.join('\n')}\n`,
  )
  chmodSync(folder, 0o755)
  const osUser = isRoot() ? osUserFor(folder) : null
  if (osUser !== null) chownSync(folder, osUser.uid, osUser.gid)
  const child = spawn(PGBOUNCER, [join(folder, 'pgbouncer.ini')], {
    ...runAs(osUser),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  while (!log.includes('process up')) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${log}`)
    await Promise.race([once(child.stderr, 'data'), once(child, 'exit')])
  }
  return {
    url: `postgres://${user}@127.0.0.1:${port}/${database}`,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      removeFolder(folder)
    },
  }
}
