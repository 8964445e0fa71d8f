import type { Config, Secrets } from '../config.ts'
import { makeSigningKey, signingKeyIn } from '../secrets/signing-key.ts'

export const auditKeysOf = ({ dataDir }: Config, { auditSigningKey }: Secrets) => ({
  key: () => auditSigningKey ?? signingKeyIn(dataDir),
  makeKey: () => auditSigningKey ?? makeSigningKey(dataDir),
})
