import { z } from 'zod'
import { isPrivatePrefix, RANGES_MAX } from '@trainyard/platform/contract/words/network.ts'

/**
 * Messages with which an agent and the portal identify each other. Each side signs the other side's nonce. The agent's
 * signature also contains the portal's address, so that a forged portal cannot send it to the real one.
 */
const nonce = z.string().regex(/^[\w-]{43}$/)
const signature = z.string().regex(/^[\w-]{86}$/)
const publicKey = z.string().regex(/^[\w-]{43}$/)
const prefixes = z.array(z.string().max(18).refine(isPrivatePrefix)).min(1).max(RANGES_MAX)

export const helloFromPortal = z.strictObject({ kind: z.literal('hello'), nonce })

const identity = {
  network: z.uuid(),
  /** The agent's nonce, which the portal signs. */
  nonce,
  signature,
  version: z.string().max(50),
  /** Ranges that the agent's own settings allow; null: the ranges of the network apply. */
  ranges: prefixes.nullable(),
  /** Latest connection of this process; null: it had none. Agents of earlier versions do not send it. */
  previous: z.uuid().nullable().optional(),
}
export const messageFromAgent = z.discriminatedUnion('kind', [
  /** Proof of the token's secret, with the public key that identifies the agent from then on. */
  z.strictObject({ kind: z.literal('enrol'), proof: nonce, publicKey, ...identity }),
  z.strictObject({ kind: z.literal('connect'), ...identity }),
])
export type MessageFromAgent = z.output<typeof messageFromAgent>

export const acceptedByPortal = z.strictObject({
  kind: z.literal('accepted'),
  connection: z.uuid(),
  /** Name of the network, for the log. */
  name: z.string(),
  ranges: prefixes,
  /** Public key of the portal's tickets. */
  publicKey,
  signature,
  /** By the portal's clock, in milliseconds. */
  now: z.int(),
})
export type AcceptedByPortal = z.output<typeof acceptedByPortal>

/** Sent regularly while connected: the ranges and the portal's clock. */
export const newsFromPortal = z.strictObject({ kind: z.literal('news'), ranges: prefixes, now: z.int() })

/** Why the portal refuses an agent. The connection is closed afterwards. */
export const refusedByPortal = z.strictObject({ kind: z.literal('refused'), sentence: z.string().max(500) })

export const AGENT_PURPOSE = 'gateway agent'
export const PORTAL_PURPOSE = 'gateway portal'
/** Timeout of the handshake, and interval of pings and news, in milliseconds. */
export const HANDSHAKE_MS = 10_000
export const HEARTBEAT_MS = 3_000
/** Silence in milliseconds after which the other side is considered dead. */
export const DEAD_MS = 15_000
