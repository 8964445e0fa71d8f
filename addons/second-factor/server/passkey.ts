import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { passkey, secondLogin } from '../contract/second-factor.ts'
import type { PasskeyId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import { CHALLENGE_MINUTES } from '../contract/second-factor-words.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { RelyingParty } from './relying-party.ts'

export type Assertion = BodyOf<typeof secondLogin.loginPasskey>['assertion']
type Attestation = BodyOf<typeof passkey.add>['attestation']

/**
 * Imports the library on first use. Only API processes need the library, and importing it would take a fifth of the
 * start time.
 */
export const loadPasskeys = () => import('@simplewebauthn/server')

/**
 * Algorithms EdDSA, ES256 and RS256. Every authenticator supports one of them. Node's support for newer algorithms
 * is experimental.
 */
const ALGORITHMS = [-8, -7, -257]

const timeout = CHALLENGE_MINUTES * 60_000

/** Returns the user handle, which is the user ID and contains no personal data. */
const handleOf = (user: UserId) => new Uint8Array(Buffer.from(user))

const passkeysOf = (db: Db, user: UserId) =>
  db.selectFrom('passkey').select(['credential_id as id', 'transports']).where('user_id', '=', user).execute()

export async function registrationOptions(
  db: Db,
  { id: rpID }: RelyingParty,
  of: { readonly user: UserId; readonly email: string; readonly challenge: Buffer },
) {
  const { generateRegistrationOptions } = await loadPasskeys()
  return generateRegistrationOptions({
    rpName: 'Trainyard',
    rpID,
    userName: of.email,
    userDisplayName: of.email,
    userID: handleOf(of.user),
    challenge: new Uint8Array(of.challenge),
    timeout,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: await passkeysOf(db, of.user),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  })
}

/** Returns the options for an assertion by one user's passkeys, or by any passkey that the browser knows. */
export async function assertionOptions(
  db: Db,
  { id: rpID }: RelyingParty,
  of: { readonly user: UserId | null; readonly challenge: Buffer },
) {
  const { generateAuthenticationOptions } = await loadPasskeys()
  return generateAuthenticationOptions({
    rpID,
    challenge: new Uint8Array(of.challenge),
    timeout,
    userVerification: 'required',
    ...(of.user !== null && { allowCredentials: await passkeysOf(db, of.user) }),
  })
}

/**
 * Returns the verified passkey; null if the passkey does not match the request, for example because it belongs to
 * another site.
 */
export async function verifyNewPasskey(relyingParty: RelyingParty, challenge: string, attestation: Attestation) {
  const { verifyRegistrationResponse } = await loadPasskeys()
  const verified = await verifyRegistrationResponse({
    // The shape has been validated. Fields that may be null are optional in the library's type.
    response: attestation as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null)
  return verified?.verified ? verified.registrationInfo.credential : null
}

export type NewPasskey = NonNullable<Awaited<ReturnType<typeof verifyNewPasskey>>>

/**
 * Adds a passkey.
 * @throws Problem conflict if the user has a passkey with this name, or the passkey was added before
 */
export async function addPasskey(
  tx: Tx,
  { user, name, credential }: { readonly user: UserId; readonly name: string; readonly credential: NewPasskey },
): Promise<void> {
  const added = await tx
    .insertInto('passkey')
    .values({
      user_id: user,
      credential_id: credential.id,
      name,
      public_key: Buffer.from(credential.publicKey),
      uses: credential.counter,
      transports: credential.transports ?? [],
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added === undefined)
    throw conflict('You already have a passkey with this name, or have already added this passkey.')
}

export interface VerifiedAssertion {
  readonly passkey: PasskeyId
  readonly user: UserId
  readonly uses: number
}

/**
 * Verifies an assertion. Returns null if anything does not match.
 * @param user null for the owner of the passkey
 */
export async function verifyAssertion(
  db: Db,
  relyingParty: RelyingParty,
  input: { readonly user: UserId | null; readonly challenge: string; readonly assertion: Assertion },
): Promise<VerifiedAssertion | null> {
  const { user, challenge, assertion } = input
  const known = await db
    .selectFrom('passkey')
    .select(['id', 'user_id', 'credential_id', 'public_key', 'uses'])
    .where('credential_id', '=', assertion.id)
    .$if(user !== null, (q) => q.where('user_id', '=', user!))
    .executeTakeFirst()
  if (known === undefined) return null
  const { userHandle } = assertion.response
  if (userHandle && !Buffer.from(userHandle, 'base64url').equals(Buffer.from(known.user_id))) return null
  const { verifyAuthenticationResponse } = await loadPasskeys()
  const verified = await verifyAuthenticationResponse({
    response: assertion as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    credential: { id: known.credential_id, publicKey: new Uint8Array(known.public_key), counter: known.uses },
    requireUserVerification: true,
  }).catch(() => null)
  if (!verified?.verified) return null
  return { passkey: known.id, user: known.user_id, uses: verified.authenticationInfo.newCounter }
}

/**
 * Stores the signature counter. Returns false if it did not increase, which indicates a cloned passkey. Passkeys that
 * always report zero are accepted.
 */
export async function consumeAssertion(tx: Tx, { passkey: id, uses }: VerifiedAssertion): Promise<boolean> {
  const taken = await tx
    .updateTable('passkey')
    .set({ uses, last_used_at: sql<Date>`portal_now()` })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('uses', '<', uses), eb.and([eb('uses', '=', 0), eb.val(uses === 0)])]))
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}
