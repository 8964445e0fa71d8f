import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { SIGN_IN_PAGE } from '../contract/sign-in-provider.ts'
import type { OrganisationId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { hashToken, SIGN_IN_SECONDS } from '@trainyard/platform/server/core/tokens.ts'
import type { SignInAttempt } from './open-id-provider.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'

/** Returns a token for the browser's cookie. The database stores only its hash. */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const redirectUriOf = (publicUrl: string): string => `${publicUrl}${SIGN_IN_PAGE}`

/** Returns the attempt of a cookie. The provider's redirect is accepted only in the browser with this cookie. */
export const attemptOf = (seal: Seal, token: string, publicUrl: string): SignInAttempt => ({
  state: seal.token('sign-in state', token),
  nonce: seal.token('sign-in nonce', token),
  verifier: seal.token('sign-in verifier', token),
  redirectUri: redirectUriOf(publicUrl),
})

export async function storeAttempt(
  tx: Tx,
  token: string,
  { organisation, testedBy }: { readonly organisation: OrganisationId; readonly testedBy: UserId | null },
): Promise<void> {
  await tx
    .insertInto('provider_sign_in')
    .values({
      token_hash: hashToken(token),
      organisation_id: organisation,
      tested_by: testedBy,
      expires_at: sql<Date>`portal_now() + make_interval(secs => ${SIGN_IN_SECONDS})`,
    })
    .execute()
}

/**
 * Consumes an attempt before the provider is called, so that a second redirect fails.
 * @throws Problem forbidden
 */
export async function consumeAttempt(db: Db, token: string | undefined) {
  const taken =
    token === undefined
      ? undefined
      : await db
          .deleteFrom('provider_sign_in')
          .where('token_hash', '=', hashToken(token))
          .returning(['organisation_id as organisation', 'tested_by as testedBy'])
          .returning(sql<boolean>`expires_at > portal_now()`.as('open'))
          .executeTakeFirst()
  if (token === undefined || taken?.open !== true) throw signInExpired()
  return { token, organisation: taken.organisation, testedBy: taken.testedBy }
}

export const signInExpired = (): Problem =>
  new Problem(
    'forbidden',
    'This sign-in has expired or was not started in this browser. Please choose Sign in with your organisation again.',
  )

export async function deleteExpiredSignIns(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('provider_sign_in')
    .where('expires_at', '<', sql<Date>`portal_now()`)
    .execute()
}
