import type { Seal } from './seal.ts'

/** Proofs over somebody's nonce: worth something only to who has the same keys, and telling others nothing. */
export interface Proof {
  /** That the portal holds these keys. */
  readonly portal: string
  /** That it holds this webhook secret too; null: it takes no payments. */
  readonly webhook: string | null
}

/** @param webhookSecret null where nobody can pay online */
export function proofOf(seal: Seal, webhookSecret: string | null, nonce: string): Proof {
  return {
    portal: seal.token('proof of the portal', nonce),
    // The seal's key is in it: a weak secret can't be guessed from the answers to nonces of one's choice.
    webhook: webhookSecret === null ? null : seal.token('proof of the webhook secret', `${nonce}\n${webhookSecret}`),
  }
}
