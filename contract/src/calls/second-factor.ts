import { z } from 'zod'
import { defineCall } from '../call.ts'
import { APP_CODE, RECOVERY_CODES, SECOND_FACTOR_METHODS } from '../words/second-factor.ts'
import { normaliseTypedCode, TYPED_CODE_LENGTH } from '../words/typed-code.ts'
import { email, instant, message, newName, password } from './shapes.ts'

const base64url = (most: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(most)
    .regex(/^[\w-]+$/, 'must be base64url')

/** ID of a challenge, and at the same time the value that a passkey signs. */
export const challenge = base64url(100)

// Unsigned fields added by browsers. They are ignored.
const unsignedFields = {
  authenticatorAttachment: z.string().max(40).nullish(),
  clientExtensionResults: z.record(z.string().max(100), z.unknown()).optional(),
}
const credential = { id: base64url(1_400), rawId: base64url(1_400), type: z.literal('public-key'), ...unsignedFields }

export const assertion = z.strictObject({
  ...credential,
  response: z.strictObject({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(4_000),
    signature: base64url(4_000),
    userHandle: base64url(100).nullish(),
  }),
})

export const attestation = z.strictObject({
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

const browserOptions = z.looseObject({ challenge: z.string() })
export const challengeReply = z.object({ challenge: z.string(), options: browserOptions })

export const secondStep = z.object({
  challenge: z.string(),
  ways: z.array(z.enum(SECOND_FACTOR_METHODS)),
  passkey: browserOptions.nullable(),
})

/** Code of an authenticator app, or a recovery code. */
const code = z.string().min(1, 'must not be empty').max(TYPED_CODE_LENGTH).transform(normaliseTypedCode)

const appCode = code.pipe(z.string().regex(APP_CODE, 'must be 6 digits'))

export const secondAnswer = z
  .strictObject({
    challenge,
    code: code.optional(),
    assertion: assertion.optional(),
  })
  .refine((given) => (given.code === undefined) !== (given.assertion === undefined), {
    path: ['code'],
    message: 'must be given, or an assertion, and not both',
  })

export const recoveryCodes = z.array(z.string()).length(RECOVERY_CODES)

export const secondFactor = {
  read: defineCall({
    method: 'GET',
    path: '/account/second-factor',
    roles: 'signed in',
    freshProof: 'none: reads only',
    allowedBeforeSecondFactor: true,
    summary: "Returns the caller's second factors.",
    reply: z.object({
      app: z.object({ addedAt: instant }).nullable(),
      recoveryCodes: z.int(),
      passkeys: z.array(
        z.object({ _id: z.string(), name: z.string(), addedAt: instant, lastUsedAt: instant.nullable() }),
      ),
      /** null if the portal is reached by IP address, where passkeys are not available. */
      passkeysAt: z.string().nullable(),
      required: z.boolean(),
      /**
       * Ways in which the user can confirm their identity: their second factor if they have one, otherwise the
       * password. If empty, they must sign in again.
       */
      confirmBy: z.array(z.enum(['password', 'code', 'passkey'])),
    }),
  }),
  confirm: defineCall({
    method: 'POST',
    path: '/account/confirm',
    roles: 'signed in',
    freshProof: 'none: is the confirmation',
    allowedBeforeSecondFactor: true,
    summary:
      "Confirms the caller's identity by password or, if the caller has a second factor, by an app code, a recovery code or a passkey.",
    body: z
      .strictObject({
        password: password.optional(),
        code: code.optional(),
        challenge: challenge.optional(),
        assertion: assertion.optional(),
      })
      .refine(
        ({ password: entered, code: generated, challenge: asked, assertion: signed }) =>
          (asked === undefined) === (signed === undefined) &&
          [entered, generated, signed].filter((each) => each !== undefined).length === 1,
        {
          path: ['password'],
          message: 'must be given, or a code, or a challenge with its assertion, and only one of them',
        },
      ),
    reply: message,
  }),
  beginApp: defineCall({
    method: 'POST',
    path: '/account/second-factor/app',
    roles: 'signed in',
    freshProof: 'confirm',
    allowedBeforeSecondFactor: true,
    summary: 'Creates the secret of an authenticator app. It takes effect once a code is confirmed.',
    reply: z.object({
      /** Opaque state to return with the first code; not stored by the server. */
      setup: z.string(),
      secret: z.string(),
      uri: z.string(),
    }),
  }),
  addApp: defineCall({
    method: 'POST',
    path: '/account/second-factor/app/confirm',
    roles: 'signed in',
    freshProof: 'confirm',
    allowedBeforeSecondFactor: true,
    summary: 'Adds the authenticator app and ends all other sessions.',
    body: z.strictObject({ setup: base64url(600), code: appCode }),
    reply: message.extend({ recoveryCodes: recoveryCodes.nullable() }),
  }),
  removeApp: defineCall({
    method: 'DELETE',
    path: '/account/second-factor/app',
    roles: 'signed in',
    freshProof: 'confirm',
    allowedBeforeSecondFactor: true,
    summary: 'Removes the authenticator app.',
    reply: message,
  }),
  renewRecoveryCodes: defineCall({
    method: 'POST',
    path: '/account/second-factor/recovery-codes',
    roles: 'signed in',
    freshProof: 'confirm',
    allowedBeforeSecondFactor: true,
    summary: 'Replaces the recovery codes with ten new ones. They are returned only this once.',
    reply: message.extend({ recoveryCodes }),
  }),
  resets: defineCall({
    method: 'GET',
    path: '/admin/users/second-factor',
    roles: ['superadmin'],
    freshProof: 'none: reads only',
    summary: 'Lists the second factor resets that wait for another superadmin.',
    reply: z.object({
      resets: z.array(z.object({ email: z.string(), askedBy: z.string(), askedAt: instant, until: instant })),
    }),
  }),
  askReset: defineCall({
    method: 'POST',
    path: '/admin/users/second-factor',
    roles: ['superadmin'],
    freshProof: 'confirm',
    summary: "Requests the removal of a user's second factors. Another superadmin must confirm it within 24 hours.",
    body: z.strictObject({ email }),
    reply: message,
  }),
  confirmReset: defineCall({
    method: 'POST',
    path: '/admin/users/second-factor/confirm',
    roles: ['superadmin'],
    freshProof: 'confirm',
    summary: "Confirms another superadmin's request: removes a user's second factors and ends their sessions.",
    body: z.strictObject({ email }),
    reply: message,
  }),
  withdrawReset: defineCall({
    method: 'DELETE',
    path: '/admin/users/second-factor',
    roles: ['superadmin'],
    freshProof: 'confirm',
    summary: 'Cancels a pending reset.',
    body: z.strictObject({ email }),
    reply: message,
  }),
}

export const passkey = {
  beginLogin: defineCall({
    method: 'POST',
    path: '/user/login/passkey/challenge',
    roles: 'anyone',
    freshProof: 'none: no session to confirm',
    summary: 'Returns a challenge for signing in with a passkey.',
    reply: challengeReply,
  }),
  beginProof: defineCall({
    method: 'POST',
    path: '/account/passkeys/proof',
    roles: 'signed in',
    freshProof: 'none: is part of the confirmation',
    allowedBeforeSecondFactor: true,
    summary: "Returns a challenge for confirming the caller's identity with a passkey.",
    reply: challengeReply,
  }),
  begin: defineCall({
    method: 'POST',
    path: '/account/passkeys/challenge',
    roles: 'signed in',
    freshProof: 'confirm',
    allowedBeforeSecondFactor: true,
    summary: 'Returns a challenge for a new passkey.',
    reply: challengeReply,
  }),
  add: defineCall({
    method: 'POST',
    path: '/account/passkeys',
    roles: 'signed in',
    freshProof: 'confirm',
    allowedBeforeSecondFactor: true,
    summary: 'Adds a passkey and ends all other sessions.',
    body: z.strictObject({ challenge, name: newName, attestation }),
    reply: message.extend({ recoveryCodes: recoveryCodes.nullable() }),
  }),
  rename: defineCall({
    method: 'PATCH',
    path: '/account/passkeys',
    roles: 'signed in',
    freshProof: 'none: changes only a display name',
    allowedBeforeSecondFactor: true,
    summary: 'Renames a passkey.',
    body: z.strictObject({ _id: z.guid('must be the id of a passkey'), name: newName }),
    reply: message,
  }),
  remove: defineCall({
    method: 'DELETE',
    path: '/account/passkeys',
    roles: 'signed in',
    freshProof: 'confirm',
    allowedBeforeSecondFactor: true,
    summary: 'Removes a passkey.',
    body: z.strictObject({ _id: z.guid('must be the id of a passkey') }),
    reply: message,
  }),
}
