import type { Config, Secrets } from '@trainyard/platform/server/config/config.ts'
import { ConfigError } from '@trainyard/platform/server/core/errors.ts'
import {
  formerKeysIn,
  makeSigningKey,
  replaceSigningKey,
  signingKeyIn,
} from '@trainyard/platform/server/run/secrets/signing-key.ts'

export const auditKeysOf = ({ dataDir }: Config, { auditSigningKey }: Secrets) => ({
  key: () => auditSigningKey ?? signingKeyIn(dataDir),
  formerKeys: () => formerKeysIn(dataDir),
  makeKey: () => auditSigningKey ?? makeSigningKey(dataDir),
  replaceKey(lastPosition: number): void {
    if (auditSigningKey !== null) {
      throw new ConfigError(
        'The key is in AUDIT_SIGNING_KEY: set a new one, restart the workers, and give the former public key to ' +
          'npm run audit -- verify with --key.',
      )
    }
    replaceSigningKey(dataDir, lastPosition)
  },
})
