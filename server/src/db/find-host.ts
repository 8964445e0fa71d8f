import pg from 'pg'
import type { Hosts } from './hosts.ts'

/** No host would do: each is named with its reason. It may be over in a moment, as a lost connection may. */
export class NoUsableHost extends Error {
  override readonly name = 'NoUsableHost'
  readonly code = 'NO_USABLE_HOST'
}

/** A host that says nothing this long is passed over. */
export const HOST_PATIENCE_MS = 2_000

export interface Host {
  readonly host: string
  readonly port: number
}

/**
 * Finds the host to connect to: the one that would do last, or else the first that does.
 * @throws NoUsableHost, and what PostgreSQL itself answers to a login: no other host is tried after that
 */
export function hostFinder({ urls, attributes }: Hosts): () => Promise<Host> {
  const writes = attributes !== null && attributes !== 'any'
  let last = 0
  return async () => {
    const reasons: string[] = []
    for (let tried = 0; tried < urls.length; tried++) {
      const index = (last + tried) % urls.length
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
  // A session that is to read only, as the doctor's, says nothing of the host.
  settings.delete('options')
  const client = new pg.Client({
    connectionString: settings.size === 0 ? address : `${address}?${settings.toString()}`,
    connectionTimeoutMillis: HOST_PATIENCE_MS,
    query_timeout: HOST_PATIENCE_MS,
  })
  client.on('error', () => {})
  const place: Host = { host: client.host, port: client.port }
  try {
    await client.connect()
    if (!writes) return place
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
    return rows[0]!.transaction_read_only === 'off' ? place : { ...place, reason: 'it only reads' }
  } catch (error) {
    if (error instanceof pg.DatabaseError && !PASSES.test(error.code ?? '')) throw error
    return { ...place, reason: reasonOf(error) }
  } finally {
    client.end().catch(() => {})
  }
}

/** PostgreSQL starts, stops, or has no connection left. */
const PASSES = /^(08|57P|53300)/

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // A name of several addresses has an error for each, and no words for all.
  return error.message === '' && 'code' in error ? String(error.code) : error.message
}
