import { answer } from '../../core/events.ts'
import { mailFooter } from '../people/user/invitation-email.ts'
import { staysDeactivated } from '../people/user/role.ts'
import { isErasurePending, privacyNotice } from './mail-footer.ts'
import { serverModule } from '../../core/module.ts'
import { withoutOwner } from '../../core/tables.ts'
import { eraseDuePersons } from './erase.ts'
import { privacyHandlers } from './http.ts'
import { applyRetention } from './retention.ts'
import { DAY, MINUTE } from '../../reconcile/task.ts'

export default serverModule({
  name: 'privacy',
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
    sql: new URL('../../db/tables/privacy.sql', import.meta.url),
    personal: {
      organisation_privacy: withoutOwner('notice_url', 'responsible contact purpose'),
      person_erasure: withoutOwner('email problem', 'asked_by report'),
    },
  },
})
