import { answer } from '@trainyard/platform/server/core/events.ts'
import { mailFooter } from '@trainyard/users/server/invitation-email.ts'
import { staysDeactivated } from '@trainyard/users/server/role.ts'
import { isErasurePending, privacyNotice } from './server/mail-footer.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { eraseDuePersons } from './server/erase.ts'
import { privacyHandlers } from './server/http.ts'
import { withPrivacyNotice } from './server/mail-notice.ts'
import { applyRetention } from './server/retention.ts'
import { DAY, MINUTE } from '@trainyard/platform/server/run/reconcile/task.ts'

export default serverModule({
  name: 'privacy',
  requires: ['audit-chain'],
  mail: (mail, { db, config }) => withPrivacyNotice(mail, db, config.http.publicUrl),
  calls: () => ({ privacy: privacyHandlers }),
  tasks: ({ db, withOwner, auditKey: key, logMessage }) => [
    ...(withOwner
      ? [
          {
            name: 'erase personal data',
            every: MINUTE,
            on: 'one' as const,
            limit: 30 * MINUTE,
            run: (signal: AbortSignal) => eraseDuePersons(db, { withOwner, key, logMessage }, signal),
          },
        ]
      : []),
    {
      name: 'apply retention periods',
      every: DAY,
      on: 'one',
      limit: 30 * MINUTE,
      run: (signal) => applyRetention(db, signal),
    },
  ],
  answers: [answer(mailFooter, privacyNotice), answer(staysDeactivated, isErasurePending)],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    personal: {
      organisation_privacy: withoutOwner('notice_url', 'responsible contact purpose'),
      person_erasure: withoutOwner('email problem', 'asked_by report'),
    },
  },
})
