import type { Command } from '@trainyard/platform/server/core/command.ts'
import { ConfigError } from '@trainyard/platform/server/core/errors.ts'
import { runAudit } from './command.ts'
import { auditKeysOf } from './keys.ts'

/** `npm run audit` */
export const auditCommand: Command = ({ config, secrets, args, print, printError, withDb }) =>
  runAudit(
    {
      ...auditKeysOf(config, secrets),
      folder: config.audit.archiveDir,
      retentionDays: config.audit.retentionDays,
      withDb(as, work) {
        if (as === 'owner' && secrets.ownerUrl === null)
          throw new ConfigError('DATABASE_URL must be set: only the database owner may delete audit rows.')
        return withDb(as, work)
      },
      print,
      printError,
    },
    args,
  )
