import pg from 'pg'
import type { Hosts } from './hosts.ts'

/**
 * No host can be used now. Callers treat this error as temporary, like a lost connection. The message names each host
 * and why the host cannot be used.
 */
class NoUsableHost extends Error {
  override readonly name = 'NoUsableHost'
  readonly code = 'NO_USABLE_HOST'
}

export const HOST_TIMEOUT_MS = 2_000

export interface Host {
  readonly host: string
  readonly port: number
}

/**
 * @throws NoUsableHost, or PostgreSQL's own error if a host rejects the login. No other host is tried after a rejected
 * login
 */
export function hostFinder({ urls, attributes }: Hosts): () => Promise<Host> {
  const writes = attributes !== null && attributes !== 'any'
  let last = 0
  return async () => {
    const reasons: string[] = []
    for (let attempt = 0; attempt < urls.length; attempt++) {
      const index = (last + attempt) % urls.length
      const found = await tryHost(urls[index]!, writes)
      if (!('reason' in found)) {
        last = index
        return found
      }
      reasons.push(`${found.host}:${found.port}: ${found.reason}`)
    }
    throw new NoUsableHost(`no host of the database can be used (${reasons.join('; ')})`)
  }
}

async function tryHost(url: string, writes: boolean): Promise<Host & ({ readonly reason: string } | object)> {
  const [address, query] = url.split('?') as [string, string?]
  const settings = new URLSearchParams(query)
  // A read-only session, such as a session of the doctor, does not show whether the host accepts writes.
  settings.delete('options')
  const client = new pg.Client({
    connectionString: settings.size === 0 ? address : `${address}?${settings.toString()}`,
    connectionTimeoutMillis: HOST_TIMEOUT_MS,
    query_timeout: HOST_TIMEOUT_MS,
  })
  client.on('error', () => {})
  const place: Host = { host: client.host, port: client.port }
  try {
    await client.connect()
    if (!writes) return place
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
    return rows[0]!.transaction_read_only === 'off' ? place : { ...place, reason: 'it is read-only' }
  } catch (error) {
    if (error instanceof pg.DatabaseError && !TEMPORARY.test(error.code ?? '')) throw error
    return { ...place, reason: reasonOf(error) }
  } finally {
    client.end().catch(() => {})
  }
}

/** PostgreSQL is starting, is stopping, or has no connection left. */
const TEMPORARY = /^(08|57P|53300)/

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // A connection error for a host with several addresses has no message.
  return error.message === '' && 'code' in error ? String(error.code) : error.message
}
