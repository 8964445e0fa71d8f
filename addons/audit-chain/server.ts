import { eraseFromAudit } from './server/erasure.ts'
import { auditErased } from '@trainyard/platform/server/core/audit.ts'
import { answer } from '@trainyard/platform/server/core/events.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { archiveAudit } from './server/archive.ts'
import { signAuditHead } from './server/head.ts'
import { auditHandlers } from './server/http.ts'
import { sealAudit } from './server/seal.ts'
import { DAY, MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'
import type { KeyObject } from 'node:crypto'
import { auditKeysOf } from './server/keys.ts'

declare module '@trainyard/platform/server/run/parts.ts' {
  interface WorkerDependencies {
    readonly auditKey: () => KeyObject
    /** Folder for audit rows that are older than `days`; null if they stay in the database. */
    readonly auditArchive: { readonly folder: string; readonly days: number; readonly withOwner: WithOwner } | null
  }
}

export default serverModule({
  name: 'audit-chain',
  async connectWorker({ config, secrets }, { withOwner }) {
    const { retentionDays: days, archiveDir: folder } = config.audit
    return {
      auditKey: auditKeysOf(config, secrets).makeKey,
      auditArchive: days === null || withOwner === null ? null : { folder, days, withOwner },
    }
  },
  calls: () => ({ audit: auditHandlers }),
  tasks: ({ db, auditKey, auditArchive, logMessage }) => [
    { name: 'seal the audit log', every: 3, on: 'one', run: (signal) => sealAudit(db, { signal, logMessage }) },
    {
      name: 'sign the audit log',
      every: 10 * MINUTE,
      on: 'one',
      run: () => signAuditHead(db, auditKey, logMessage),
    },
    ...(auditArchive
      ? [
          {
            name: 'archive the audit log',
            every: DAY,
            on: 'one' as const,
            limit: 30 * MINUTE,
            async run(signal: AbortSignal) {
              const { withOwner, ...archive } = auditArchive
              const done = await withOwner((owner) => archiveAudit(owner, { ...archive, key: auditKey(), signal }))
              if (done !== null) logMessage(done)
            },
          },
        ]
      : []),
  ],
  answers: [answer(auditErased, eraseFromAudit)],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      audit_archive: withoutOwner('file', '', 'chain file_hash public_key signature'),
      audit_erasure: withoutOwner('', '', 'row_hash public_key signature'),
      audit_head: withoutOwner('', '', 'chain public_key signature'),
      audit_seal: withoutOwner('', '', 'row_hash previous chain'),
    },
  },
})
