import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/contract/call.ts'
import type { passkey } from '@trainyard/contract/calls/second-factor.ts'
import type { session } from '@trainyard/contract/calls/user.ts'
import type { PasskeyId, UserId } from '@trainyard/contract/words/ids.ts'
import { CHALLENGE_MINUTES } from '@trainyard/contract/words/second-factor.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { RelyingParty } from './relying-party.ts'

export type Assertion = BodyOf<typeof session.loginPasskey>['assertion']
type Attestation = BodyOf<typeof passkey.add>['attestation']

/** The library is loaded by whoever serves calls: no other process sees a passkey, and it takes a fifth of a start. */
export const loadPasskeys = () => import('@simplewebauthn/server')

/** EdDSA, ES256 and RS256: every authenticator has one of them, and Node's support of the next ones is experimental. */
const ALGORITHMS = [-8, -7, -257]

const timeout = CHALLENGE_MINUTES * 60_000

/** An authenticator is told who it is for by the account's id: it says nothing of the person. */
const handleOf = (user: UserId) => new Uint8Array(Buffer.from(user))

const passkeysOf = (db: Db, user: UserId) =>
  db.selectFrom('passkey').select(['credential_id as id', 'transports']).where('user_id', '=', user).execute()

/** Options with which a browser is asked for a new passkey of a person. */
export async function optionsForNew(
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

/** Options with which a browser is asked for an answer by a passkey: one of a person's, or whichever it knows. */
export async function optionsForAnswer(
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

/** A new passkey as its authenticator told it; null where it is not what was asked for, of another site, say. */
export async function readNewPasskey(relyingParty: RelyingParty, challenge: string, attestation: Attestation) {
  const { verifyRegistrationResponse } = await loadPasskeys()
  const verified = await verifyRegistrationResponse({
    // The shape was checked; its fields that may be null are absent to the library.
    response: attestation as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null)
  return verified?.verified ? verified.registrationInfo.credential : null
}

/** An answer by a passkey, right but not yet taken. */
export interface PasskeyAnswer {
  readonly passkey: PasskeyId
  readonly user: UserId
  readonly uses: number
}

/**
 * Reads a passkey's answer to a challenge; null where it is not that passkey's, or of another site, challenge or person.
 * @param user the one person who may answer; null: whoever the passkey belongs to
 */
export async function readAnswer(
  db: Db,
  relyingParty: RelyingParty,
  asked: { readonly user: UserId | null; readonly challenge: string; readonly assertion: Assertion },
): Promise<PasskeyAnswer | null> {
  const { user, challenge, assertion } = asked
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
 * Takes an answer: false where the passkey's count of its uses went back or stood still since, which says that there are
 * two of it. One that always says zero does not count.
 */
export async function takeAnswer(tx: Tx, { passkey: id, uses }: PasskeyAnswer): Promise<boolean> {
  const taken = await tx
    .updateTable('passkey')
    .set({ uses, last_used_at: sql<Date>`portal_now()` })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('uses', '<', uses), eb.and([eb('uses', '=', 0), eb.val(uses === 0)])]))
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}
