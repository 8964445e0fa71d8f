import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { ConfigError } from '@trainyard/platform/server/core/errors.ts'
import { readSigningKey } from '@trainyard/platform/server/run/secrets/signing-key.ts'
import { text, daysFrom, secret } from '@trainyard/platform/server/config/environment.ts'
import { settings } from '@trainyard/platform/server/config/config.ts'

declare module '@trainyard/platform/server/config/config.ts' {
  interface Config {
    readonly audit: {
      /** Age in days from which rows are archived; null: never. */
      readonly retentionDays: number | null
      readonly archiveDir: string
    }
  }
  interface Secrets {
    readonly auditSigningKey: KeyObject | null
  }
}

const variables = {
  AUDIT_SIGNING_KEY: secret(text.optional()).describe(
    "Base64 of the ed25519 key that signs the audit's head. Set it if workers run on several machines. Default: TRAINYARD_DATA/audit.key, created once.",
  ),
  AUDIT_RETENTION_DAYS: daysFrom(365)
    .optional()
    .describe('Age in days from which audit rows are moved to a file, 365 or more. Default: all rows stay.'),
}

export const audit = settings({
  variables,
  read: ({ AUDIT_SIGNING_KEY: key, AUDIT_RETENTION_DAYS: days }, { dataDir }) => ({
    config: { audit: { retentionDays: days ?? null, archiveDir: join(dataDir, 'audit') } },
    secrets: { auditSigningKey: key === undefined ? null : signingKeyIn(key) },
  }),
})

function signingKeyIn(text: string): KeyObject {
  try {
    return readSigningKey(text)
  } catch (error) {
    throw new ConfigError(`AUDIT_SIGNING_KEY ${(error as Error).message}`, { cause: error })
  }
}
