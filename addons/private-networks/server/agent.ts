import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { PrivateNetworkRow } from '../tables.gen.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { isSameToken } from '@trainyard/platform/server/core/tokens.ts'
import { AGENT_PURPOSE, DEAD_MS, type MessageFromAgent } from './protocol/handshake.ts'
import { enrolmentProof } from './protocol/enrolment-token.ts'
import { isSignedFor } from './protocol/signatures.ts'
import { signTicket, TICKET_SECONDS } from './protocol/tickets.ts'
import type { PrivateNetwork } from '@trainyard/templates/server/machine-address.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { readSigningKey } from '@trainyard/platform/server/run/secrets/signing-key.ts'
import { ticketKeyContext } from './encryption-context.ts'

export const AGENT_REFUSED =
  'this token or key is not valid. A token enrols one agent, once, within 24 hours: issue a new one in the portal, and set GATEWAY_TOKEN.'

export interface AgentAtPortal {
  /** Random value that the portal sent to the agent in this handshake. */
  readonly nonce: string
  /** Origin of the portal's public URL. */
  readonly origin: string
  /** URL at which other processes connect to the process that holds the connection. */
  readonly heldAt: string
  readonly address: string
  readonly requestId: string
}

export interface ConnectedAgent {
  readonly network: string
  readonly connection: string
  readonly name: string
  readonly ranges: readonly string[]
  readonly ticketKey: Buffer
  readonly ticketPublicKey: Buffer
  readonly now: Date
}

/**
 * Enrols or recognises an agent, and replaces its earlier connection. All reasons for a refusal give the same error.
 * @throws Problem forbidden
 */
export async function connectAgent(tx: Tx, message: MessageFromAgent, at: AgentAtPortal): Promise<ConnectedAgent> {
  const query = tx
    .selectFrom('private_network')
    .selectAll()
    .where('id', '=', message.network as never)
    .where('route', '=', 'gateway')
  const now = await portalNow(tx)
  // The key is checked before the row is locked, so that clients without a valid signature cannot delay the real agent.
  if (provenKey(await query.executeTakeFirst(), message, at, now) === null) {
    throw new Problem('forbidden', AGENT_REFUSED)
  }
  const row = await query.forUpdate().executeTakeFirst()
  const key = provenKey(row, message, at, now)
  if (row === undefined || key === null) throw new Problem('forbidden', AGENT_REFUSED)
  const isNew = row.agent_key === null || !row.agent_key.equals(key)
  const duplicates = isNew ? null : duplicateAddresses(row, message, at, now)
  const connection = randomUUID()
  await tx
    .updateTable('private_network')
    .set({
      connection,
      held_at: at.heldAt,
      connected_at: sql<Date>`portal_now()`,
      seen_at: sql<Date>`portal_now()`,
      agent_version: message.version,
      agent_address: at.address,
      agent_ranges: message.ranges,
      ...(isNew
        ? {
            agent_key: key,
            enrolled_at: sql<Date>`portal_now()`,
            enrolment_hash: null,
            enrolment_expires_at: null,
            duplicate_seen_at: null,
            duplicate_addresses: null,
          }
        : {}),
      ...(duplicates === null ? {} : { duplicate_seen_at: now, duplicate_addresses: duplicates }),
    })
    .where('id', '=', row.id)
    .execute()
  const audited = { requestId: at.requestId, actor: null, address: at.address }
  if (isNew) await writeAudit(tx, { ...audited, call: 'gateway.enrol', request: { network: row.name } })
  const isReported =
    row.duplicate_seen_at !== null && row.duplicate_seen_at.getTime() > now.getTime() - DUPLICATE_AUDIT_MS
  if (duplicates !== null && !isReported) {
    const request = { network: row.name, addresses: duplicates }
    await writeAudit(tx, { ...audited, call: 'gateway.duplicate', request })
  }
  return {
    network: row.id,
    connection,
    name: row.name,
    ranges: row.ranges,
    ticketKey: row.ticket_key!,
    ticketPublicKey: row.ticket_public_key!,
    now: await portalNow(tx),
  }
}

/**
 * Minimum time in milliseconds between two audit rows about a duplicate. Two duplicate agents replace each other every
 * few seconds.
 */
const DUPLICATE_AUDIT_MS = 60 * 60_000

/**
 * Returns the addresses of two processes with the same identity; null if there is only one process. A process that
 * reconnects names the connection that it replaces, and only that process knows this connection.
 */
function duplicateAddresses(
  { connection, seen_at, agent_address }: PrivateNetworkRow,
  { previous }: MessageFromAgent,
  { address }: AgentAtPortal,
  now: Date,
): string[] | null {
  const isOtherAlive = connection !== null && seen_at!.getTime() > now.getTime() - DEAD_MS
  if (!isOtherAlive || previous === undefined || previous === connection) return null
  return [...new Set([agent_address ?? address, address])]
}

/** Returns the agent's public key; null if the message does not prove that the agent owns a key that has access. */
function provenKey(
  row: PrivateNetworkRow | undefined,
  message: MessageFromAgent,
  at: AgentAtPortal,
  now: Date,
): Buffer | null {
  const key = row === undefined ? null : acceptedKey(row, message, at, now)
  if (row === undefined || key === null) return null
  const publicKey = key.toString('base64url')
  const isSigned = isSignedFor(key, message.signature, AGENT_PURPOSE, row.id, at.nonce, at.origin, publicKey)
  return isSigned ? key : null
}

/** Returns the public key that the agent must own; null if the message gives no access. */
function acceptedKey(
  row: PrivateNetworkRow,
  message: MessageFromAgent,
  { nonce, origin }: AgentAtPortal,
  now: Date,
): Buffer | null {
  if (message.kind === 'connect') return row.agent_key
  const key = Buffer.from(message.publicKey, 'base64url')
  // The agent repeats its enrolment after a lost reply.
  if (row.agent_key?.equals(key) === true) return key
  const { enrolment_hash: hash, enrolment_expires_at: expires } = row
  if (hash === null || expires! <= now) return null
  const proof = enrolmentProof(hash, row.id, nonce, origin, message.publicKey)
  return isSameToken(proof, message.proof) ? key : null
}

/** Returns the network's ranges and the time; null if the connection was replaced or revoked and must be closed. */
export async function renewConnection(
  db: Db,
  { network, connection }: Pick<ConnectedAgent, 'network' | 'connection'>,
): Promise<{ readonly ranges: string[]; readonly now: Date } | null> {
  const renewed = await db
    .updateTable('private_network')
    .set({ seen_at: sql<Date>`portal_now()` })
    .where('id', '=', network as never)
    .where('connection', '=', connection)
    .returning(['ranges', sql<Date>`portal_now()`.as('now')])
    .executeTakeFirst()
  return renewed ?? null
}

export async function closeConnection(
  db: Db,
  { network, connection }: Pick<ConnectedAgent, 'network' | 'connection'>,
): Promise<void> {
  await db
    .updateTable('private_network')
    .set({ connection: null, held_at: null })
    .where('id', '=', network as never)
    .where('connection', '=', connection)
    .execute()
}

export interface IssuedTicket {
  readonly text: string
  readonly connection: string
  /** URL of the API process to which the agent is connected. */
  readonly heldAt: string
}

/** Returns a ticket for one connection through the network's agent; null if no agent is connected. */
export async function issueConnectionTicket(
  db: Db,
  seal: Pick<Seal, 'open'>,
  network: PrivateNetwork,
  to: { readonly address: string; readonly port: number },
): Promise<IssuedTicket | null> {
  const row = await db
    .selectFrom('private_network')
    .select(['id', 'ticket_key', 'connection', 'held_at', sql<Date>`portal_now()`.as('now')])
    .where('id', '=', network.id as never)
    .where('connection', 'is not', null)
    .where('seen_at', '>', sql<Date>`portal_now() - make_interval(secs => ${DEAD_MS / 1000})`)
    .executeTakeFirst()
  if (row === undefined) return null
  const connection = row.connection!
  const key = readSigningKey(seal.open(row.ticket_key!, ticketKeyContext(row.id)))
  const expires = row.now.getTime() + TICKET_SECONDS * 1000
  const text = signTicket(key, { id: randomUUID(), network: row.id, connection, ...to, expires })
  return { text, connection, heldAt: row.held_at! }
}
