import { z } from 'zod'
import { defineCall } from '../call.ts'
import { PASSWORD_LENGTH_MIN } from '../words/limits.ts'
import { MAILED_LINK } from '../words/mailed-link.ts'
import { ASSIGNABLE_ROLES, ROLES } from '../words/role.ts'
import { assertion, challenge, secondAnswer, secondStep } from './second-factor.ts'
import { email, instant, message, name, newPassword, password } from './shapes.ts'

const token = z.string().min(20, MAILED_LINK.invitationIncomplete).max(200, MAILED_LINK.invitationIncomplete)

export const signedIn = z.object({
  email: z.string(),
  organization: z.string().nullable(),
  uid: z.string(),
  session: z.enum(ROLES),
  message: z.string(),
})

export const session = {
  login: defineCall({
    method: 'POST',
    path: '/user/login',
    roles: 'anyone',
    freshProof: 'none: no session to confirm',
    summary: 'Opens a session. The reply does not distinguish a wrong password from an unknown user.',
    // Not validated as an e-mail address: a text that is not one is answered like an unknown user.
    body: z.strictObject({ email: z.string().min(1, 'must not be empty').max(254), password }),
    reply: signedIn,
    refusal: secondStep,
  }),
  loginSecond: defineCall({
    method: 'POST',
    path: '/user/login/second',
    roles: 'anyone',
    freshProof: 'none: no session to confirm',
    summary: 'Opens a session with the second factor requested by a login.',
    body: secondAnswer,
    reply: signedIn,
  }),
  loginPasskey: defineCall({
    method: 'POST',
    path: '/user/login/passkey',
    roles: 'anyone',
    freshProof: 'none: no session to confirm',
    summary: 'Opens a session with a passkey alone.',
    body: z.strictObject({ challenge, assertion }),
    reply: signedIn,
  }),
  logout: defineCall({
    method: 'POST',
    path: '/user/logout',
    roles: 'signed in',
    freshProof: 'none: ends only this session',
    allowedBeforeSecondFactor: true,
    summary: 'Ends the session for both bearer token and cookie.',
    reply: message,
    allowedBeforePasswordChange: true,
  }),
  me: defineCall({
    method: 'GET',
    path: '/user/me',
    roles: 'signed in',
    freshProof: 'none: reads only',
    allowedBeforeSecondFactor: true,
    summary: 'Returns the user of the session, from which the web app restores its state after a reload.',
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
  setPassword: defineCall({
    method: 'POST',
    path: '/user/password',
    roles: 'anyone',
    freshProof: 'none: no session to confirm',
    summary: "Sets the password with a link's single-use token, ends all sessions and opens a new one.",
    body: z.strictObject({
      token,
      password: newPassword,
    }),
    // A link does not open a session for users with a second factor. They sign in with the new password.
    reply: z.union([signedIn, z.object({ email: z.string(), uid: z.null(), message: z.string() })]),
  }),
  confirmChange: defineCall({
    method: 'POST',
    path: '/user/confirm',
    roles: 'anyone',
    freshProof: 'none: no session to confirm',
    summary:
      "Confirms, with a link's single-use token, a new address of an account or its link to a user at the provider.",
    body: z.strictObject({ token }),
    reply: message,
  }),
  forgot: defineCall({
    method: 'POST',
    path: '/user/forgot',
    roles: 'anyone',
    freshProof: 'none: no session to confirm',
    summary: 'Mails a password reset link if the account exists. The reply is the same if it does not.',
    body: z.strictObject({ email }),
    reply: message,
  }),
  invitation: defineCall({
    method: 'POST',
    path: '/user/invitation',
    roles: 'anyone',
    freshProof: 'none: no session to confirm',
    summary: "Returns the user, purpose and next class of a link's token without using it.",
    body: z.strictObject({
      token,
      /** Time zone of the browser, for later e-mails. Ignored if the portal does not know it. */
      timeZone: z.string().max(64).optional(),
    }),
    reply: z.object({
      email: z.string(),
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
  list: defineCall({
    method: 'GET',
    path: '/admin/users',
    roles: ['superadmin'],
    freshProof: 'none: reads only',
    summary: 'Lists all users by e-mail, with the number of their live machines.',
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
  create: defineCall({
    method: 'POST',
    path: '/admin/users',
    roles: ['superadmin'],
    freshProof: 'confirm',
    summary: 'Creates a user of an organisation with a password.',
    body: z.strictObject({
      email,
      password: password.min(PASSWORD_LENGTH_MIN, `must be at least ${PASSWORD_LENGTH_MIN} characters long`),
      organization: name,
      userType: z.enum(ASSIGNABLE_ROLES),
    }),
    reply: message,
    creates: true,
  }),
  invite: defineCall({
    method: 'POST',
    path: '/admin/users/invite',
    roles: ['superadmin'],
    freshProof: 'confirm',
    summary: 'Creates a user of an organisation and mails them a link to choose a password.',
    body: z.strictObject({ email, organization: name, userType: z.enum(ASSIGNABLE_ROLES) }),
    reply: message,
    creates: true,
  }),
  resendInvitation: defineCall({
    method: 'POST',
    path: '/admin/users/invitation',
    roles: ['superadmin'],
    freshProof: 'confirm',
    summary:
      'Sends a new invitation to a user without a password and invalidates earlier ones. 409 if the user has a password.',
    body: z.strictObject({ email, organization: name.nullable() }),
    reply: message,
    creates: true,
  }),
  revokeInvitation: defineCall({
    method: 'DELETE',
    path: '/admin/users/invitation',
    roles: ['superadmin'],
    freshProof: 'confirm',
    summary: 'Revokes an invitation and its link. 409 if there is none.',
    body: z.strictObject({ email, organization: name.nullable() }),
    reply: message,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/admin/users',
    roles: ['superadmin'],
    freshProof: 'confirm',
    summary: 'Deletes a user and ends their sessions. 409 for the last superadmin.',
    body: z.strictObject({ email, organization: name.nullable() }),
    reply: message,
  }),
}
