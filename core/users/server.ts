import { answer, on } from '@trainyard/platform/server/core/events.ts'
import { requireAnotherSuperadmin } from './server/last-admin.ts'
import { organisationsRemoved } from '@trainyard/organisations/server/remove.ts'
import { passwordsEnded } from '@trainyard/organisations/server/settings.ts'
import { endPasswordSessions } from './server/sessions.ts'
import { serverModule, runs } from '@trainyard/platform/server/core/module.ts'
import { withConnection } from '@trainyard/platform/server/db/client.ts'
import { makeSeal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import {
  changeConfirmation,
  sendChangeConfirmation,
  addressNotice,
  sendAddressNotice,
} from './server/confirmed-change.ts'
import { sessionOf } from '@trainyard/platform/server/core/identity.ts'
import { pagesSought } from '@trainyard/platform/server/core/search.ts'
import { findSession } from './server/identify.ts'
import { INVARIANTS } from './server/invariants.ts'
import { userInvite, sendInvitation } from './server/invitation-email.ts'
import { accountHandlers } from './server/own-sign-in-http.ts'
import { passwordChanged, sendPasswordChanged } from './server/password-changed-email.ts'
import { userForgot, sendPasswordReset } from './server/password-reset.ts'
import { findPeople, peopleHandlers } from './server/people-http.ts'
import { secretCreated, sendSecretCreated } from './server/secret-created.ts'
import { sessionHandlers } from './server/session-http.ts'
import { deleteExpiredSessions } from './server/sessions.ts'
import { setUpAdvice } from './server/set-up.ts'
import { userHandlers } from './server/users-http.ts'

export default serverModule({
  name: 'users',
  calls: (parts) => ({
    account: accountHandlers(parts),
    session: sessionHandlers({ ...parts, emulated: parts.azure.emulated }),
    user: userHandlers(parts),
    people: peopleHandlers(parts),
  }),
  async prepareStart({ demo, http }, { databaseUrl, keys }) {
    // The demo has a superadmin.
    if (demo) return []
    return withConnection({ connectionString: databaseUrl }, { size: 1, as: 'app' }, (db) =>
      setUpAdvice(db, makeSeal(keys), http.publicUrl),
    )
  },
  jobs: [
    runs(userInvite, sendInvitation),
    runs(userForgot, sendPasswordReset),
    runs(passwordChanged, sendPasswordChanged),
    runs(secretCreated, sendSecretCreated),
    runs(changeConfirmation, sendChangeConfirmation),
    runs(addressNotice, sendAddressNotice),
  ],
  answers: [answer(sessionOf, findSession), answer(pagesSought, findPeople)],
  listens: [
    on(organisationsRemoved, async (tx, organisations) => {
      for (const organisation of organisations) {
        await requireAnotherSuperadmin(tx, (user) => user.organisation_id === organisation)
        await tx.deleteFrom('portal_user').where('organisation_id', '=', organisation).execute()
      }
    }),
    on(passwordsEnded, async (tx, ended) => {
      for (const { organisation, kept } of ended) await endPasswordSessions(tx, organisation, kept)
    }),
  ],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    retained: [
      {
        table: 'invitation',
        days: 'email_days',
        from: 'join portal_user u on u.id = t.user_id',
        organisation: 'u.organisation_id',
        // A link ends when its validity ends, so that valid links are not deleted.
        ended: 'coalesce(t.used_at, t.revoked_at, case when u.password_hash is not null then t.expires_at end)',
      },
      {
        table: 'session',
        days: 'sign_in_days',
        from: 'join portal_user u on u.id = t.user_id',
        organisation: 'u.organisation_id',
        ended: 't.seen_at',
      },
    ],
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
        other: 'opened_by',
      },
    },
    expire: [deleteExpiredSessions],
    invariants: INVARIANTS,
  },
})
