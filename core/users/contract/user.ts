import * as limits from '@trainyard/platform/contract/limits.ts'
import { HOUR, type Limit, MINUTE } from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { PASSWORD_LENGTH_MIN } from '@trainyard/platform/contract/words/limits.ts'
import { MAILED_LINK } from '@trainyard/platform/contract/words/mailed-link.ts'
import { ASSIGNABLE_ROLES, ROLES } from '@trainyard/platform/contract/words/role.ts'
import { SECOND_FACTOR_METHODS } from '@trainyard/platform/contract/words/sign-in.ts'
import {
  email,
  instant,
  name,
  newName,
  newPassword,
  password,
  selectedOrganisation,
} from '@trainyard/platform/contract/shapes.ts'

/** Each call may send an e-mail to a person who did not request it. */
const forgotten: Limit = { name: 'forgot', per: 'address', max: 60, seconds: MINUTE }

/** Importing a list of lab users makes one call per user, and each call sends an e-mail. */
export const invitations: Limit = { name: 'invitations', per: 'person', max: 1_000, seconds: HOUR }

const token = z.string().min(20, MAILED_LINK.invitationIncomplete).max(200, MAILED_LINK.invitationIncomplete)

export const signedIn = z.object({
  email: z.string(),
  organization: z.string().nullable(),
  uid: z.string(),
  session: z.enum(ROLES),
  message: z.string(),
})

/** Second step of a sign-in after a correct password. */
const secondStep = z.object({
  challenge: z.string(),
  ways: z.array(z.enum(SECOND_FACTOR_METHODS)),
  passkey: z.looseObject({ challenge: z.string() }).nullable(),
})

export const session = {
  login: call({
    route: 'POST /user/login',
    for: 'anyone',
    does: 'Opens a session. The reply does not distinguish a wrong password from an unknown user.',
    audit: 'signed in',
    limit: [limits.guesses, limits.knownBrowsers],
    size: { bytes: 8_192, values: 1_000 },
    urgency: 'sign-in',
    // Not validated as an e-mail address: a text that is not one is answered like an unknown user.
    body: z.strictObject({ email: z.string().min(1, 'must not be empty').max(254), password }),
    reply: signedIn,
    refusal: secondStep,
  }),
  logout: call({
    route: 'POST /user/logout',
    for: 'signed in',
    does: 'Ends the session for both bearer token and cookie.',
    audit: 'signed out',
    urgency: 'sign-in',
    before: ['new password', 'second factor'],
  }),
  me: call({
    route: 'GET /user/me',
    for: 'signed in',
    does: 'Returns the user of the session, from which the web app restores its state after a reload.',
    urgency: 'sign-in',
    before: ['second factor'],
    reply: z.object({
      email: z.string(),
      name: z.string().nullable(),
      organization: z.string().nullable(),
      userType: z.enum(ROLES),
      logo: z.string().nullable(),
      timeZone: z.string(),
      abilities: z.array(z.string()),
      /** Trainings of which a user is an instructor. Empty for admins, who lead every class of their organisation. */
      instructorOf: z.array(z.string()),
      /** End of the period without the required second factor; null if none is pending. */
      secondFactorDue: z.object({ at: instant, over: z.boolean() }).nullable(),
    }),
  }),
  setPassword: call({
    route: 'POST /user/password',
    for: 'anyone',
    does: "Sets the password with a link's single-use token, ends all sessions and opens a new one.",
    audit: 'set a password by invitation',
    limit: limits.guesses,
    size: { bytes: 8_192, values: 1_000 },
    body: z.strictObject({
      token,
      password: newPassword,
    }),
    // A link does not open a session for users with a second factor. They sign in with the new password.
    reply: z.union([signedIn, z.object({ email: z.string(), uid: z.null(), message: z.string() })]),
  }),
  isSetUpOpen: call({
    route: 'GET /user/set-up',
    for: 'anyone',
    does: 'Tells whether the portal waits for its first superadmin, and what to do then.',
    // Every page for a log-in makes this call.
    limit: limits.publicFiles,
    reply: z.object({ open: z.boolean(), message: z.string().nullable() }),
  }),
  setUp: call({
    route: 'POST /user/set-up',
    for: 'anyone',
    does: 'Creates the first superadmin with the code in the log of the portal, and opens a session. Only while there is none.',
    audit: 'set up the portal',
    limit: limits.guesses,
    size: { bytes: 8_192, values: 1_000 },
    body: z.strictObject({
      code: z.string().max(40),
      name: newName,
      email,
      password: newPassword,
      /** Time zone of the browser, for later e-mails. Ignored if the portal does not know it. */
      timeZone: z.string().max(64).optional(),
    }),
    reply: signedIn,
  }),
  confirmChange: call({
    route: 'POST /user/confirm',
    for: 'anyone',
    does: "Confirms, with a link's single-use token, a new address of an account or its link to a user at the provider.",
    audit: 'confirmed a change of their account',
    limit: limits.guesses,
    size: { bytes: 8_192, values: 1_000 },
    body: z.strictObject({ token }),
  }),
  forgot: call({
    route: 'POST /user/forgot',
    for: 'anyone',
    does: 'Mails a password reset link if the account exists. The reply is the same if it does not.',
    audit: 'requested a password reset link',
    limit: forgotten,
    size: { bytes: 2_048, values: 1_000 },
    body: z.strictObject({ email }),
  }),
  invitation: call({
    route: 'POST /user/invitation',
    for: 'anyone',
    does: "Returns the user, purpose and next class of a link's token without using it.",
    audit: 'opened an invitation',
    limit: limits.guesses,
    size: { bytes: 8_192, values: 1_000 },
    body: z.strictObject({
      token,
      /** Time zone of the browser, for later e-mails. Ignored if the portal does not know it. */
      timeZone: z.string().max(64).optional(),
    }),
    reply: z.object({
      email: z.string(),
      /** As the user is addressed; null if not known. */
      name: z.string().nullable(),
      organization: z.string().nullable(),
      purpose: z.enum(['invitation', 'password', 'address', 'provider']),
      /** Address that the link confirms; null for another purpose. */
      newEmail: z.string().nullable(),
      nextClass: z
        .object({
          trainingName: z.string(),
          startsAt: instant.nullable(),
          /** When the learner's machine will be ready; null if it is ready, or if no time is planned. */
          readyAt: instant.nullable(),
        })
        .nullable(),
    }),
  }),
}

export const user = {
  list: call({
    route: 'GET /admin/users',
    for: ['superadmin'],
    does: 'Lists all users by e-mail, with the number of their live machines.',
    reply: z.object({
      users: z.array(
        z.object({
          email: z.string(),
          name: z.string().nullable(),
          organization: z.string().nullable(),
          userType: z.enum(ROLES),
          machines: z.int(),
          /** `bounced` is the mail server's reply that rejected it; null if it was not rejected. */
          invitation: z.object({ until: instant, expired: z.boolean(), bounced: z.string().nullable() }).nullable(),
        }),
      ),
    }),
  }),
  create: call({
    route: 'POST /admin/users',
    for: ['superadmin'],
    proof: 'fresh',
    does: 'Creates a user of an organisation with a password.',
    audit: 'created a user',
    limit: invitations,
    body: z.strictObject({
      email,
      password: password.min(PASSWORD_LENGTH_MIN, `must be at least ${PASSWORD_LENGTH_MIN} characters long`),
      organization: selectedOrganisation,
      userType: z.enum(ASSIGNABLE_ROLES),
    }),
    once: true,
  }),
  invite: call({
    route: 'POST /admin/users/invite',
    for: ['superadmin'],
    proof: 'fresh',
    does: 'Creates a user of an organisation and mails them a link to choose a password.',
    audit: 'invited a user',
    limit: invitations,
    body: z.strictObject({ email, organization: selectedOrganisation, userType: z.enum(ASSIGNABLE_ROLES) }),
    once: true,
  }),
  resendInvitation: call({
    route: 'POST /admin/users/invitation',
    for: ['superadmin'],
    proof: 'fresh',
    does: 'Sends a new invitation to a user without a password and invalidates earlier ones. 409 if the user has a password.',
    audit: 'resent an invitation',
    limit: invitations,
    body: z.strictObject({ email, organization: name.nullable() }),
    once: true,
  }),
  revokeInvitation: call({
    route: 'DELETE /admin/users/invitation',
    for: ['superadmin'],
    proof: 'fresh',
    does: 'Revokes an invitation and its link. 409 if there is none.',
    audit: 'revoked an invitation',
    body: z.strictObject({ email, organization: name.nullable() }),
  }),
  remove: call({
    route: 'DELETE /admin/users',
    for: ['superadmin'],
    proof: 'fresh',
    does: 'Deletes a user and ends their sessions. 409 for the last superadmin.',
    audit: 'deleted a user',
    body: z.strictObject({ email, organization: name.nullable() }),
  }),
}

type Session = typeof session

declare module '@trainyard/platform/contract/contract.ts' {
  interface SessionCalls extends Session {}
  interface Contract {
    session: SessionCalls
    user: typeof user
  }
}
