import { registrationEvents } from './contract/registration-event.ts'
import { serverModule, runs } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { on } from '@trainyard/platform/server/core/events.ts'
import { registrationHandlers, registrationLinkHandlers } from './server/http.ts'
import { registrationAccount, sendRegistrationEmail, sendDecision } from './server/jobs.ts'
import { deleteOldEmails } from './server/registered-user.ts'
import { SEAT_FREE, seatWaitingUsers, registrationDecided } from './server/seat.ts'
import { relyingPartyOf } from '@trainyard/second-factor/server/relying-party.ts'
import { usersDeactivated } from '@trainyard/users/server/role.ts'

export default serverModule({
  name: 'registration',
  requires: ['second-factor'],
  calls: (parts) => ({
    registration: registrationHandlers({ ...parts, relyingParty: relyingPartyOf(parts.publicUrl) }),
    registrationLink: registrationLinkHandlers(parts),
  }),
  tasks: ({ db, seal, jobQueue: jobs }) => [
    {
      name: 'assign waiting learners',
      // A higher budget frees seats without making this task due.
      every: 5,
      on: 'each',
      isDue: SEAT_FREE,
      run: (signal) => seatWaitingUsers(db, { seal, jobs }, signal),
    },
  ],
  jobs: [runs(registrationAccount, sendRegistrationEmail), runs(registrationDecided, sendDecision)],
  publishes: registrationEvents,
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    retained: [
      { table: 'registration_email', days: 'email_days', organisation: 't.organisation_id', ended: 't.expires_at' },
    ],
    sealed: [{ table: 'registration_link', column: 'code', key: 'id' }],
    personal: {
      registration: {
        owner: { user: 'user_id' },
        title: 'Seats of registration links',
        erase: 'delete',
        mentions: 'decided_by',
        other: 'state',
      },
      registration_email: {
        owner: { address: 'email' },
        title: 'E-mails of registration links',
        erase: 'delete',
        mentions: 'email',
      },
      registration_link: withoutOwner('domains', 'name problem made_by revoked_by', 'code_hash code'),
    },
    expire: [deleteOldEmails],
  },
  listens: [
    on(usersDeactivated, async (tx, users) => {
      await tx
        .deleteFrom('registration')
        .where('user_id', 'in', users)
        .where('state', 'in', ['pending', 'waiting'])
        .execute()
    }),
  ],
})
