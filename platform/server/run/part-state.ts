import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { CloudError } from '../providers/errors.ts'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect as connectTcp } from 'node:net'

export async function recordPartState(db: Db, part: 'cloud' | 'mail', up: boolean): Promise<void> {
  await db
    .insertInto('part_state')
    .values({ part, up, seen_at: sql<Date>`portal_now()` })
    .onConflict((on) => on.column('part').doUpdateSet({ up, seen_at: sql<Date>`portal_now()` }))
    .execute()
}

/** Records the state of the cloud. A null result means that no call was made. */
export async function recordCloudState(db: Db, callback: () => Promise<unknown>): Promise<void> {
  try {
    if ((await callback()) !== null) await recordPartState(db, 'cloud', true)
  } catch (error) {
    const isUnreachable = error instanceof CloudError && (error.kind === 'unreachable' || error.kind === 'unauthorised')
    if (isUnreachable) await recordPartState(db, 'cloud', false)
    throw error
  }
}

const PATIENCE_MS = 3_000

export function isMailServerUp({
  host,
  port,
  proxy,
}: {
  readonly host: string
  readonly port: number
  /** HTTP proxy (CONNECT); null: direct. */
  readonly proxy: string | null
}): Promise<boolean> {
  return new Promise((resolve) => {
    if (proxy !== null) {
      const connection = proxiedConnection(proxy, `${host}:${port}`)
      connection.on('connect', ({ statusCode }, socket) => {
        socket.destroy()
        resolve(statusCode === 200)
      })
      connection.on('response', () => resolve(false))
      connection.on('error', () => resolve(false))
      connection.end()
      return
    }
    const socket = connectTcp({ host, port })
    const end = (up: boolean) => {
      socket.destroy()
      resolve(up)
    }
    socket.setTimeout(PATIENCE_MS, () => end(false))
    socket.on('connect', () => end(true))
    socket.on('error', () => end(false))
  })
}

function proxiedConnection(proxy: string, path: string) {
  const { protocol, username, password } = new URL(proxy)
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  const headers = { host: path, ...(username !== '' && { 'proxy-authorization': `Basic ${login}` }) }
  const request = protocol === 'https:' ? httpsRequest : httpRequest
  return request(proxy, { method: 'CONNECT', path, headers, signal: AbortSignal.timeout(PATIENCE_MS) })
}
