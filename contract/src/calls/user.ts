import { z } from 'zod'
import { defineCall } from '../call.ts'
import { PASSWORD_LENGTH_MIN } from '../words/limits.ts'
import { ASSIGNABLE_ROLES, ROLES } from '../words/role.ts'
import { assertion, challenge, secondAnswer, secondStep } from './second-factor.ts'
import { email, instant, message, name, newPassword, password } from './shapes.ts'

const signedIn = z.object({
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
    summary: 'Opens a session. A wrong password and an unknown user answer alike.',
    // The login takes any text as e-mail: what is no address is simply nobody's.
    body: z.strictObject({ email: z.string().min(1, 'must not be empty').max(254), password }),
    reply: signedIn,
    refusal: secondStep,
  }),
  loginSecond: defineCall({
    method: 'POST',
    path: '/user/login/second',
    roles: 'anyone',
    summary: 'Opens a session with the second factor that a login asked for.',
    body: secondAnswer,
    reply: signedIn,
  }),
  loginPasskey: defineCall({
    method: 'POST',
    path: '/user/login/passkey',
    roles: 'anyone',
    summary: 'Opens a session with a passkey alone.',
    body: z.strictObject({ challenge, assertion }),
    reply: signedIn,
  }),
  logout: defineCall({
    method: 'POST',
    path: '/user/logout',
    roles: 'signed in',
    beforeSecondFactor: true,
    summary: 'Ends the session, for bearer and cookie alike.',
    reply: message,
    settlesAccount: true,
  }),
  me: defineCall({
    method: 'GET',
    path: '/user/me',
    roles: 'signed in',
    beforeSecondFactor: true,
    summary: 'Who the session belongs to; a reload rebuilds itself from it.',
    reply: z.object({
      email: z.string(),
      /** null: they gave none. */
      name: z.string().nullable(),
      organization: z.string().nullable(),
      userType: z.enum(ROLES),
      logo: z.string().nullable(),
      timeZone: z.string(),
      /** The names of the calls that this person's role may make: `machine.order`, `ledger.summary`, ... */
      abilities: z.array(z.string()),
      /** When the days end in which this person may still do all else before they set up a second factor; null: none is due. */
      secondFactorDue: z.object({ at: instant, over: z.boolean() }).nullable(),
    }),
  }),
  setPassword: defineCall({
    method: 'POST',
    path: '/user/password',
    roles: 'anyone',
    summary: 'Sets the password with the single-use token of a link, ends all sessions, and opens one.',
    body: z.strictObject({
      token: z.string().min(20).max(200),
      password: newPassword,
    }),
    // A link alone lets nobody in who has a second factor: they log in with the new password.
    reply: z.union([signedIn, z.object({ email: z.string(), uid: z.null(), message: z.string() })]),
  }),
  forgot: defineCall({
    method: 'POST',
    path: '/user/forgot',
    roles: 'anyone',
    summary: 'Sends a link that sets another password to who has an account. Answers alike where nobody has.',
    body: z.strictObject({ email }),
    reply: message,
  }),
  invitation: defineCall({
    method: 'POST',
    path: '/user/invitation',
    roles: 'anyone',
    summary: 'Whose link a token is of, and for what, so that the page can greet; it stays unused.',
    body: z.strictObject({ token: z.string().min(20).max(200) }),
    reply: z.object({
      email: z.string(),
      organization: z.string().nullable(),
      /** A first password, or another one in place of one that was forgotten. */
      purpose: z.enum(['invitation', 'password']),
    }),
  }),
}

export const user = {
  list: defineCall({
    method: 'GET',
    path: '/admin/users',
    roles: ['superadmin'],
    summary: 'All users, in order of e-mail, each with how many live machines are theirs.',
    reply: z.object({
      users: z.array(
        z.object({
          email: z.string(),
          name: z.string().nullable(),
          organization: z.string().nullable(),
          userType: z.enum(ROLES),
          machines: z.int(),
          /** Of who was invited and has no password yet; null: nobody waits for them. */
          invitation: z.object({ until: instant, expired: z.boolean() }).nullable(),
        }),
      ),
    }),
  }),
  create: defineCall({
    method: 'POST',
    path: '/admin/users',
    roles: ['superadmin'],
    summary: 'Makes a user of an organisation, with a password.',
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
    summary: 'Makes a user of an organisation, who chooses a password by a link that is mailed to them.',
    body: z.strictObject({ email, organization: name, userType: z.enum(ASSIGNABLE_ROLES) }),
    reply: message,
    creates: true,
  }),
  resendInvitation: defineCall({
    method: 'POST',
    path: '/admin/users/invitation',
    roles: ['superadmin'],
    summary: 'Sends who has no password yet a new invitation; those before it end. 409: they have one.',
    body: z.strictObject({ email, organization: name.nullable() }),
    reply: message,
    creates: true,
  }),
  revokeInvitation: defineCall({
    method: 'DELETE',
    path: '/admin/users/invitation',
    roles: ['superadmin'],
    summary: 'Takes an invitation back: its link works no more. 409: there is none.',
    body: z.strictObject({ email, organization: name.nullable() }),
    reply: message,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/admin/users',
    roles: ['superadmin'],
    summary: 'Deletes a user and ends their sessions. The last superadmin stays: 409.',
    body: z.strictObject({ email, organization: name.nullable() }),
    reply: message,
  }),
}
