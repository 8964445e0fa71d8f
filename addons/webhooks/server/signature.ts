import { createHmac, randomBytes } from 'node:crypto'

/** Signatures by Standard Webhooks (github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md). */

const PREFIX = 'whsec_'
/** Length of a secret in bytes. The specification requires 24 to 64. */
const SECRET_BYTES = 32

export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`

export interface SignedMessage {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/** Returns the value of the header `webhook-signature`: a signature per secret, separated by spaces. */
export const signatureOf = (secrets: readonly string[], { id, timestamp, body }: SignedMessage): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
