import type { Seal } from './seal.ts'

/** Keyed hashes of a nonce, with which the doctor verifies that a portal has the same keys. */
export interface Proof {
  readonly portal: string
  readonly webhook: string | null
}

export function proofOf(seal: Seal, webhookSecret: string | null, nonce: string): Proof {
  return {
    portal: seal.token('proof of the portal', nonce),
    // The key is part of the proof, so that a weak secret cannot be guessed from proofs of chosen nonces.
    webhook: webhookSecret === null ? null : seal.token('proof of the webhook secret', `${nonce}\n${webhookSecret}`),
  }
}
