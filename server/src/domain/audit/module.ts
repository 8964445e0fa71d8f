import { eraseFromAudit } from './erasure.ts'
import { auditErased } from '../../core/audit.ts'
import { answer } from '../../core/events.ts'
import { serverModule } from '../../core/module.ts'
import { withoutOwner } from '../../core/tables.ts'
import { archiveAudit } from './archive.ts'
import { signAuditHead } from './head.ts'
import { auditHandlers } from './http.ts'
import { sealAudit } from './seal.ts'
import { DAY, MINUTE } from '../../reconcile/task.ts'

export default serverModule({
  name: 'audit-chain',
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
    personal: {
      audit_archive: withoutOwner('file', '', 'chain file_hash public_key signature'),
      audit_erasure: withoutOwner('', '', 'row_hash public_key signature'),
      audit_head: withoutOwner('', '', 'chain public_key signature'),
      audit_seal: withoutOwner('', '', 'row_hash previous chain'),
    },
  },
})
