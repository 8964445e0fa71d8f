import * as limits from '@trainyard/platform/contract/limits.ts'
import { z } from 'zod'
import { call } from '@trainyard/platform/contract/call.ts'
import { APP_CODE, RECOVERY_CODES } from './second-factor-words.ts'
import { normaliseTypedCode, TYPED_CODE_LENGTH } from '@trainyard/platform/contract/words/typed-code.ts'
import { email, enteredName, instant, message, password } from '@trainyard/platform/contract/shapes.ts'
import { signedIn } from '@trainyard/users/contract/user.ts'

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

const assertion = z.strictObject({
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

/** Code of an authenticator app, or a recovery code. */
const code = z.string().min(1, 'must not be empty').max(TYPED_CODE_LENGTH).transform(normaliseTypedCode)

const appCode = z
  .string()
  .max(TYPED_CODE_LENGTH)
  .transform(normaliseTypedCode)
  .pipe(z.string().regex(APP_CODE, 'Enter the 6 digits that the app shows.'))

const secondAnswer = z
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

/** Further calls of the group `session`. */
export const secondLogin = {
  loginSecond: call({
    route: 'POST /user/login/second',
    for: 'anyone',
    does: 'Opens a session with the second factor requested by a login.',
    audit: 'signed in with a second factor',
    limit: limits.guesses,
    size: { bytes: 8_192, values: 1_000 },
    urgency: 'sign-in',
    body: secondAnswer,
    reply: signedIn,
  }),
  loginPasskey: call({
    route: 'POST /user/login/passkey',
    for: 'anyone',
    does: 'Opens a session with a passkey alone.',
    audit: 'signed in with a passkey',
    limit: limits.guesses,
    size: { bytes: 8_192, values: 1_000 },
    urgency: 'sign-in',
    body: z.strictObject({ challenge, assertion }),
    reply: signedIn,
  }),
}

export const secondFactor = {
  read: call({
    route: 'GET /account/second-factor',
    for: 'signed in',
    does: "Returns the caller's second factors.",
    before: ['second factor'],
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
  confirm: call({
    route: 'POST /account/confirm',
    for: 'signed in',
    does: "Confirms the caller's identity by password or, if the caller has a second factor, by an app code, a recovery code or a passkey.",
    audit: 'confirmed their identity',
    limit: limits.ownPasswords,
    before: ['second factor'],
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
  }),
  beginApp: call({
    route: 'POST /account/second-factor/app',
    for: 'signed in',
    proof: 'fresh',
    does: 'Creates the secret of an authenticator app. It takes effect once a code is confirmed.',
    audit: 'started to set up an authenticator app',
    before: ['second factor'],
    reply: z.object({
      /** Opaque state to return with the first code; not stored by the server. */
      setup: z.string(),
      secret: z.string(),
      uri: z.string(),
    }),
  }),
  addApp: call({
    route: 'POST /account/second-factor/app/confirm',
    for: 'signed in',
    proof: 'fresh',
    does: 'Adds the authenticator app and ends all other sessions.',
    audit: 'set up an authenticator app',
    before: ['second factor'],
    body: z.strictObject({ setup: base64url(600), code: appCode }),
    reply: message.extend({ recoveryCodes: recoveryCodes.nullable() }),
  }),
  removeApp: call({
    route: 'DELETE /account/second-factor/app',
    for: 'signed in',
    proof: 'fresh',
    does: 'Removes the authenticator app.',
    audit: 'removed their authenticator app',
    before: ['second factor'],
  }),
  renewRecoveryCodes: call({
    route: 'POST /account/second-factor/recovery-codes',
    for: 'signed in',
    proof: 'fresh',
    does: 'Replaces the recovery codes with ten new ones. They are returned only this once.',
    audit: 'created new recovery codes',
    before: ['second factor'],
    reply: message.extend({ recoveryCodes }),
  }),
  resets: call({
    route: 'GET /admin/users/second-factor',
    for: ['superadmin'],
    does: 'Lists the second factor resets that wait for another superadmin.',
    reply: z.object({
      resets: z.array(z.object({ email: z.string(), askedBy: z.string(), askedAt: instant, until: instant })),
    }),
  }),
  askReset: call({
    route: 'POST /admin/users/second-factor',
    for: ['superadmin'],
    proof: 'fresh',
    does: "Requests the removal of a user's second factors. Another superadmin must confirm it within 24 hours.",
    audit: 'requested a reset of a user’s second factor',
    body: z.strictObject({ email }),
  }),
  confirmReset: call({
    route: 'POST /admin/users/second-factor/confirm',
    for: ['superadmin'],
    proof: 'fresh',
    does: "Confirms another superadmin's request: removes a user's second factors and ends their sessions.",
    audit: 'confirmed the reset of a second factor',
    body: z.strictObject({ email }),
  }),
  withdrawReset: call({
    route: 'DELETE /admin/users/second-factor',
    for: ['superadmin'],
    proof: 'fresh',
    does: 'Cancels a pending reset.',
    audit: 'cancelled the reset of a second factor',
    body: z.strictObject({ email }),
  }),
}

export const passkey = {
  beginLogin: call({
    route: 'POST /user/login/passkey/challenge',
    for: 'anyone',
    does: 'Returns a challenge for signing in with a passkey.',
    audit: 'started signing in with a passkey',
    limit: limits.guesses,
    size: { bytes: 8_192, values: 1_000 },
    urgency: 'sign-in',
    reply: challengeReply,
  }),
  beginProof: call({
    route: 'POST /account/passkeys/proof',
    for: 'signed in',
    does: "Returns a challenge for confirming the caller's identity with a passkey.",
    audit: 'started to confirm their identity with a passkey',
    before: ['second factor'],
    reply: challengeReply,
  }),
  begin: call({
    route: 'POST /account/passkeys/challenge',
    for: 'signed in',
    proof: 'fresh',
    does: 'Returns a challenge for a new passkey.',
    audit: 'started to add a passkey',
    before: ['second factor'],
    reply: challengeReply,
  }),
  add: call({
    route: 'POST /account/passkeys',
    for: 'signed in',
    proof: 'fresh',
    does: 'Adds a passkey and ends all other sessions.',
    audit: 'added a passkey',
    size: 'document',
    before: ['second factor'],
    body: z.strictObject({ challenge, name: enteredName, attestation }),
    reply: message.extend({ recoveryCodes: recoveryCodes.nullable() }),
  }),
  rename: call({
    route: 'PATCH /account/passkeys',
    for: 'signed in',
    does: 'Renames a passkey.',
    audit: 'renamed a passkey',
    before: ['second factor'],
    body: z.strictObject({ _id: z.guid('must be the id of a passkey'), name: enteredName }),
  }),
  remove: call({
    route: 'DELETE /account/passkeys',
    for: 'signed in',
    proof: 'fresh',
    does: 'Removes a passkey.',
    audit: 'removed a passkey',
    before: ['second factor'],
    body: z.strictObject({ _id: z.guid('must be the id of a passkey') }),
  }),
}

/** Texts that follow the portal's name in the audit log: actions that are no calls. */
export const secondFactorActions = {
  'operator.resetSecondFactor': 'reset a second factor on the server',
} as const

type SecondLogin = typeof secondLogin

declare module '@trainyard/platform/contract/contract.ts' {
  interface SessionCalls extends SecondLogin {}
  interface Contract {
    passkey: typeof passkey
    secondFactor: typeof secondFactor
  }
}
