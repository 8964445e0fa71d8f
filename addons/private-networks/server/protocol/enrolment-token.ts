import { createHmac } from 'node:crypto'

/** Secret that an operator copies from the portal to the agent, once. */
export interface EnrolmentToken {
  readonly network: string
  readonly secret: string
  /** Fingerprint of the key that signs the portal's tickets, so that the agent recognises the portal. */
  readonly portal: string
}

const PREFIX = 'tyg1'
const FORM = /^tyg1\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{43})\.([\w-]{43})$/

export const enrolmentToken = ({ network, secret, portal }: EnrolmentToken): string =>
  [PREFIX, network, secret, portal].join('.')

/** Returns null if the text is not such a token. */
export function readEnrolmentToken(text: string): EnrolmentToken | null {
  const found = FORM.exec(text.trim())
  return found === null ? null : { network: found[1]!, secret: found[2]!, portal: found[3]! }
}

/**
 * Returns the proof that the agent has the secret, for one handshake. The secret itself is not sent, because the portal
 * may be a forged one.
 * @param secretHash SHA-256 of the secret, which the portal stores
 * @param values those that the agent signs in the handshake
 */
export const enrolmentProof = (secretHash: Buffer, ...values: readonly string[]): string =>
  createHmac('sha256', secretHash)
    .update(JSON.stringify(['trainyard gateway enrolment', ...values]))
    .digest('base64url')
