import { z } from 'zod'
import { defineCall } from '../call.ts'
import { RECOVERY_CODES, SECOND_WAYS } from '../words/second-factor.ts'
import { email, instant, message, name, password } from './shapes.ts'

const base64url = (most: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(most)
    .regex(/^[\w-]+$/, 'must be base64url')

/** Names one challenge, and is the challenge that a passkey signs. */
export const challenge = base64url(100)

// Fields that a browser tells beside what is signed; nothing is judged by them.
const beside = {
  authenticatorAttachment: z.string().max(40).nullish(),
  clientExtensionResults: z.record(z.string().max(100), z.unknown()).optional(),
}
const credential = { id: base64url(1_400), rawId: base64url(1_400), type: z.literal('public-key'), ...beside }

/** A passkey's answer to a challenge, as browsers write it in JSON. */
export const assertion = z.strictObject({
  ...credential,
  response: z.strictObject({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(4_000),
    signature: base64url(4_000),
    userHandle: base64url(100).nullish(),
  }),
})

/** A new passkey, as browsers write it in JSON. */
const attestation = z.strictObject({
  ...credential,
  response: z.strictObject({
    clientDataJSON: base64url(4_000),
    attestationObject: base64url(40_000),
    authenticatorData: base64url(10_000).nullish(),
    transports: z.array(z.string().max(40)).max(10).nullish(),
    publicKeyAlgorithm: z.int().nullish(),
    publicKey: base64url(10_000).nullish(),
  }),
})

/** Options of `navigator.credentials`; their shape is the browsers' own. */
const browserOptions = z.looseObject({ challenge: z.string() })
const toSign = z.object({ challenge: z.string(), options: browserOptions })

/** Reply to a login whose password was right, where more is asked for. */
export const secondStep = z.object({
  challenge: z.string(),
  ways: z.array(z.enum(SECOND_WAYS)),
  /** For `navigator.credentials.get`, where a passkey is one of the ways. */
  passkey: browserOptions.nullable(),
})

/** Either a code or a passkey's answer. */
export const secondAnswer = z
  .strictObject({
    challenge,
    code: z.string().min(1, 'must not be empty').max(60).optional(),
    assertion: assertion.optional(),
  })
  .refine((given) => (given.code === undefined) !== (given.assertion === undefined), {
    path: ['code'],
    message: 'must be given, or an assertion, and not both',
  })

const recoveryCodes = z.array(z.string()).length(RECOVERY_CODES)

export const secondFactor = {
  read: defineCall({
    method: 'GET',
    path: '/account/second-factor',
    roles: 'signed in',
    beforeSecondFactor: true,
    summary: 'The second factors of who asks.',
    reply: z.object({
      app: z.object({ addedAt: instant }).nullable(),
      recoveryCodes: z.int(),
      passkeys: z.array(
        z.object({ _id: z.string(), name: z.string(), addedAt: instant, lastUsedAt: instant.nullable() }),
      ),
      /** The address at which passkeys work; null: the portal is reached by no name, and there are none. */
      passkeysAt: z.string().nullable(),
      /** True where the person's access level needs one. */
      required: z.boolean(),
      /** How the person can confirm who they are; neither: by signing in again. */
      confirmBy: z.array(z.enum(['password', 'passkey'])),
    }),
  }),
  confirm: defineCall({
    method: 'POST',
    path: '/account/confirm',
    roles: 'signed in',
    beforeSecondFactor: true,
    summary: 'Proves anew who is signed in, by password or passkey; for changes of how one signs in.',
    body: z
      .strictObject({ password: password.optional(), challenge: challenge.optional(), assertion: assertion.optional() })
      .refine(
        (given) => (given.password === undefined) === (given.challenge !== undefined && given.assertion !== undefined),
        {
          path: ['password'],
          message: 'must be given, or a challenge with its assertion, and not both',
        },
      ),
    reply: message,
  }),
  beginApp: defineCall({
    method: 'POST',
    path: '/account/second-factor/app',
    roles: 'signed in',
    beforeSecondFactor: true,
    summary: 'Makes the secret of an authenticator app; it counts once a code of it was given.',
    reply: z.object({
      /** Given back with the first code; the portal keeps nothing until then. */
      setup: z.string(),
      secret: z.string(),
      /** The otpauth address that the QR code holds. */
      uri: z.string(),
    }),
  }),
  addApp: defineCall({
    method: 'POST',
    path: '/account/second-factor/app/confirm',
    roles: 'signed in',
    beforeSecondFactor: true,
    summary: 'Adds the authenticator app whose code is given, and ends all other sessions.',
    body: z.strictObject({ setup: base64url(600), code: z.string().regex(/^\d{6}$/, 'must be 6 digits') }),
    reply: message.extend({ recoveryCodes: recoveryCodes.nullable() }),
  }),
  removeApp: defineCall({
    method: 'DELETE',
    path: '/account/second-factor/app',
    roles: 'signed in',
    beforeSecondFactor: true,
    summary: 'Removes the authenticator app.',
    reply: message,
  }),
  renewRecoveryCodes: defineCall({
    method: 'POST',
    path: '/account/second-factor/recovery-codes',
    roles: 'signed in',
    beforeSecondFactor: true,
    summary: 'Makes ten new recovery codes in place of those before. They are told this once.',
    reply: message.extend({ recoveryCodes }),
  }),
  resets: defineCall({
    method: 'GET',
    path: '/admin/users/second-factor',
    roles: ['superadmin'],
    summary: 'The resets of second factors that wait for another superadmin.',
    reply: z.object({
      resets: z.array(z.object({ email: z.string(), askedBy: z.string(), askedAt: instant, until: instant })),
    }),
  }),
  askReset: defineCall({
    method: 'POST',
    path: '/admin/users/second-factor',
    roles: ['superadmin'],
    summary: "Asks for a person's second factors to be removed; another superadmin confirms it within 24 hours.",
    body: z.strictObject({ email }),
    reply: message,
  }),
  confirmReset: defineCall({
    method: 'POST',
    path: '/admin/users/second-factor/confirm',
    roles: ['superadmin'],
    summary: "Removes a person's second factors and ends their sessions, as another superadmin asked.",
    body: z.strictObject({ email }),
    reply: message,
  }),
  withdrawReset: defineCall({
    method: 'DELETE',
    path: '/admin/users/second-factor',
    roles: ['superadmin'],
    summary: 'Withdraws a reset that waits.',
    body: z.strictObject({ email }),
    reply: message,
  }),
}

export const passkey = {
  beginLogin: defineCall({
    method: 'POST',
    path: '/user/login/passkey/challenge',
    roles: 'anyone',
    summary: 'A challenge for signing in with a passkey in place of a password.',
    reply: toSign,
  }),
  beginProof: defineCall({
    method: 'POST',
    path: '/account/passkeys/proof',
    roles: 'signed in',
    beforeSecondFactor: true,
    summary: 'A challenge for confirming with one of the own passkeys.',
    reply: toSign,
  }),
  begin: defineCall({
    method: 'POST',
    path: '/account/passkeys/challenge',
    roles: 'signed in',
    beforeSecondFactor: true,
    summary: 'A challenge for a new passkey.',
    reply: toSign,
  }),
  add: defineCall({
    method: 'POST',
    path: '/account/passkeys',
    roles: 'signed in',
    beforeSecondFactor: true,
    summary: 'Adds a passkey, and ends all other sessions.',
    body: z.strictObject({ challenge, name, attestation }),
    reply: message.extend({ recoveryCodes: recoveryCodes.nullable() }),
  }),
  rename: defineCall({
    method: 'PATCH',
    path: '/account/passkeys',
    roles: 'signed in',
    beforeSecondFactor: true,
    summary: 'Names a passkey anew.',
    body: z.strictObject({ _id: z.guid('must be the id of a passkey'), name }),
    reply: message,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/account/passkeys',
    roles: 'signed in',
    beforeSecondFactor: true,
    summary: 'Removes a passkey.',
    body: z.strictObject({ _id: z.guid('must be the id of a passkey') }),
    reply: message,
  }),
}
