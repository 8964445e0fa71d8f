import type { Config, Secrets } from '../config.ts'
import { makeSigningKey, signingKeyIn } from '../secrets/signing-key.ts'

/** Returns the key that the audit's heads are signed with: of the settings, or of the data folder. */
export const auditKeysOf = ({ dataDir }: Config, { auditSigningKey }: Secrets) => ({
  /** null: none was made yet. */
  key: () => auditSigningKey ?? signingKeyIn(dataDir),
  makeKey: () => auditSigningKey ?? makeSigningKey(dataDir),
})
