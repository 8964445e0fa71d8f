import { on } from '../../../core/events.ts'
import { serverModule } from '../../../core/module.ts'
import { registrationHandlers, registrationLinkHandlers } from './http.ts'
import { SEAT_FREE, seatWaitingUsers } from './seat.ts'
import { relyingPartyOf } from '../../people/second-factor/relying-party.ts'
import { usersDeactivated } from '../../people/user/role.ts'

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
