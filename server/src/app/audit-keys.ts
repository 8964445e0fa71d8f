import type { Config, Secrets } from '../config.ts'
import { makeSigningKey, signingKeyIn } from '../secrets/signing-key.ts'

/** Returns the key that signs audit heads: from the settings, otherwise from the data folder. */
export const auditKeysOf = ({ dataDir }: Config, { auditSigningKey }: Secrets) => ({
  /** Returns null if no key has been created yet. */
  key: () => auditSigningKey ?? signingKeyIn(dataDir),
  makeKey: () => auditSigningKey ?? makeSigningKey(dataDir),
})
