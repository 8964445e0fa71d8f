import { type KeyObject, randomUUID } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { z } from 'zod'
import { isSignedFor, signFor } from './signatures.ts'

/** Permission for one connection to one port of one machine. */
export interface ConnectionTicket {
  readonly id: string
  readonly network: string
  /** Connection of the agent to the portal for which the ticket is valid. */
  readonly connection: string
  readonly address: string
  readonly port: number
  /** Expiry by the portal's clock, in milliseconds. */
  readonly expires: number
}

export const TICKET_SECONDS = 30
/** Header of a ticket between two processes of the portal. */
export const TICKET_HEADER = 'x-trainyard-ticket'
const PURPOSE = 'gateway ticket'
const TICKET_LENGTH_MAX = 1_000

const shape = z.strictObject({
  id: z.uuid(),
  network: z.uuid(),
  connection: z.uuid(),
  address: z.string().refine((address) => isIPv4(address)),
  port: z.int().min(1).max(65_535),
  expires: z.int(),
})

export function signTicket(key: KeyObject, ticket: ConnectionTicket): string {
  const content = Buffer.from(JSON.stringify(ticket)).toString('base64url')
  return `${content}.${signFor(key, PURPOSE, content)}`
}

/** Returns a ticket without a signature. It opens no connection; it only helps to find the process that holds the agent's connection. */
export function unsignedTicket(of: Pick<ConnectionTicket, 'network' | 'connection'>): string {
  const ticket = { id: randomUUID(), ...of, address: '0.0.0.0', port: 22, expires: 0 }
  return `${Buffer.from(JSON.stringify(ticket)).toString('base64url')}.`
}

/** Returns the ticket without a check of its signature, to find the key; null if it is malformed. */
export function parseTicket(text: string): ConnectionTicket | null {
  const [content = '', signature, ...extra] = text.split('.')
  if (text.length > TICKET_LENGTH_MAX || signature === undefined || extra.length > 0) return null
  try {
    return shape.parse(JSON.parse(Buffer.from(content, 'base64url').toString('utf8')))
  } catch {
    return null
  }
}

/** Returns true if the portal signed the ticket. */
function isTicketSigned(publicKey: Buffer, text: string): boolean {
  const [content = '', signature = ''] = text.split('.')
  return isSignedFor(publicKey, signature, PURPOSE, content)
}

/** Tickets of one connection. Each is valid once, and only until it expires. */
export class Tickets {
  readonly #publicKey: Buffer
  readonly #for: { readonly network: string; readonly connection: string }
  readonly #usedTickets = new Map<string, number>()

  constructor(publicKey: Buffer, of: { readonly network: string; readonly connection: string }) {
    this.#publicKey = publicKey
    this.#for = of
  }

  /**
   * Returns the ticket and marks it as used; null if it is forged, expired, used before, or for another connection.
   * @param now by the portal's clock, in milliseconds
   */
  take(text: string, now: number): ConnectionTicket | null {
    const ticket = parseTicket(text)
    if (ticket === null || !isTicketSigned(this.#publicKey, text)) return null
    if (ticket.network !== this.#for.network || ticket.connection !== this.#for.connection) return null
    for (const [id, expires] of this.#usedTickets) if (expires <= now) this.#usedTickets.delete(id)
    if (ticket.expires <= now || this.#usedTickets.has(ticket.id)) return null
    this.#usedTickets.set(ticket.id, ticket.expires)
    return ticket
  }
}
