import { answer } from '../../../core/events.ts'
import { serverModule, runs } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { classesOfInvited } from '../../lab/calendar/invited-classes.ts'
import { hasSecondFactor } from '../second-factor/factors.ts'
import { relyingPartyOf } from '../second-factor/relying-party.ts'
import { requireSecondStep } from '../second-factor/second-step.ts'
import { changeConfirmation, sendChangeConfirmation, addressNotice, sendAddressNotice } from './confirmed-change.ts'
import { sessionOf } from '../../../core/identity.ts'
import { findSession } from './identify.ts'
import { INVARIANTS } from './invariants.ts'
import { userInvite, sendInvitation } from './invitation-email.ts'
import { accountHandlers } from './own-sign-in-http.ts'
import { passwordChanged, sendPasswordChanged } from './password-changed-email.ts'
import { userForgot, sendPasswordReset } from './password-reset.ts'
import { peopleHandlers } from './people-http.ts'
import { sessionHandlers } from './session-http.ts'
import { deleteExpiredSessions } from './sessions.ts'
import { userHandlers } from './users-http.ts'
import { mailboxOf } from '../../sandbox/lab-users.ts'

export default serverModule({
  name: 'users',
  calls: (parts) => ({
    account: accountHandlers(parts),
    session: sessionHandlers({
      ...parts,
      classesOf: classesOfInvited(parts.publicUrl),
      requireSecondStep: requireSecondStep(relyingPartyOf(parts.publicUrl)),
      hasSecondFactor,
      emulated: parts.azure.emulated,
    }),
    user: userHandlers(parts),
    people: peopleHandlers(parts),
  }),
  jobs: [
    runs(userInvite, (parts) => sendInvitation({ ...parts, mailboxOf, classesOf: classesOfInvited(parts.publicUrl) })),
    runs(userForgot, (parts) => sendPasswordReset({ ...parts, mailboxOf })),
    runs(passwordChanged, (parts) => sendPasswordChanged({ ...parts, mailboxOf })),
    runs(changeConfirmation, (parts) => sendChangeConfirmation({ ...parts, mailboxOf })),
    runs(addressNotice, (parts) => sendAddressNotice({ ...parts, mailboxOf })),
  ],
  answers: [answer(sessionOf, findSession)],
  tables: {
    personal: {
      account_control: {
        owner: { user: 'user_id' },
        title: 'Superadmins who changed the account',
        erase: 'delete',
        other: 'reason',
      },
      invitation: {
        owner: { user: 'user_id' },
        title: 'Invitations',
        erase: 'delete',
        mentions: 'new_email bounce',
        other: 'purpose issuer subject',
      },
      login_lane: withoutOwner('', '', 'lane'),
      portal_user: {
        owner: { user: 'id' },
        title: 'Account',
        erase: 'delete',
        mentions: 'email name',
        secrets: 'password_hash',
        other: 'role time_zone',
      },
      session: {
        owner: { user: 'user_id' },
        title: 'Sessions',
        erase: 'delete',
        secrets: 'token_hash',
        details: 'address user_agent',
      },
    },
    expire: [deleteExpiredSessions],
    invariants: INVARIANTS,
  },
})
