import type { Seal } from './seal.ts'

/** Proofs over a nonce. Only a holder of the same keys can verify them; they reveal nothing to others. */
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
