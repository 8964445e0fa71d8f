import { isEmail, lowerAscii, normaliseEmail } from '@trainyard/platform/contract/words/email.ts'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import type { GroupRole } from '../contract/sign-in-provider.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Claims } from './open-id-provider.ts'
import { isElsewhere, textIn, textsIn, truthIn, wordsIn } from './claims.ts'
import type { IdentityProvider } from './provider.ts'

export interface VerifiedIdentity {
  readonly subject: string
  readonly email: string
  readonly role: GroupRole | null
}

const ENTRA_TENANT =
  /^https:\/\/login\.microsoftonline\.com\/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\/v2\.0$/i
const GOOGLE = 'https://accounts.google.com'

/**
 * Returns the identity that a token proves.
 * @throws Problem forbidden with a message for the organisation's administrator
 */
export function identityOf(claims: Claims, provider: IdentityProvider): VerifiedIdentity {
  const { client, domains } = provider
  const email = emailIn(claims)
  if (email === null) throw forbidden('Your provider did not send your e-mail. It must send the claim email.')
  if (!domains.has(email.slice(email.lastIndexOf('@') + 1))) {
    throw forbidden(`The domain of ${email} is not verified for your organisation.`)
  }
  // A private Google account can have an e-mail address of any company, even the address of a former employee.
  if (client.issuer === GOOGLE && !domains.has(lowerAscii(textIn(claims, 'hd') ?? ''))) {
    throw forbidden(`${email} is a private Google account. Use your organisation's account instead.`)
  }
  if (!isVerified(claims, client.issuer)) {
    throw forbidden(`Your provider does not confirm that the e-mail ${email} is verified.`)
  }
  return { subject: claims.sub, email, role: roleOf(claims, provider) }
}

export function emailIn(claims: Claims): string | null {
  const email = normaliseEmail(textIn(claims, 'email') ?? '')
  return isEmail(email) ? email : null
}

function isVerified(claims: Claims, issuer: string): boolean {
  const verified = truthIn(claims, 'email_verified')
  if (verified !== undefined) return verified === true
  // Entra ID sends no email_verified. The portal trusts a tenant's own users, and guests with a verified domain
  // (xms_edov).
  if (!ENTRA_TENANT.test(issuer)) return false
  const ownsDomain = truthIn(claims, 'xms_edov')
  if (ownsDomain !== undefined) return ownsDomain === true
  const { idp } = claims
  return idp === undefined || idp === issuer
}

/** @throws Problem forbidden if roles depend on groups that the token does not contain */
function roleOf(claims: Claims, provider: IdentityProvider): GroupRole | null {
  const { groupClaim, roles } = provider
  if (roles.size > 0 && hasTooManyGroups(claims, provider)) {
    throw forbidden(
      'Your account is in too many groups, so your provider does not send them and your role is unknown. Ask your administrator to assign groups to the application and to send only those.',
    )
  }
  const found = new Set(groupsIn(claims, groupClaim).map((group) => roles.get(group)))
  if (found.has('admin')) return 'admin'
  return found.has('user') ? 'user' : null
}

/** Returns the groups of a claim, which is a list of strings or a single string. */
export const groupsIn = (claims: Claims, groupClaim: string | null): readonly string[] =>
  groupClaim === null ? [] : textsIn(claims, groupClaim)

/**
 * Returns true if the token omits the groups. Entra ID sends at most 200 groups. For users with more it sends
 * `_claim_names` and `_claim_sources` instead, whose address answers only requests with permissions in the directory:
 * https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference#groups-overage-claim
 */
export const hasTooManyGroups = (claims: Claims, { groupClaim }: Pick<IdentityProvider, 'groupClaim'>): boolean =>
  groupClaim !== null && claims[groupClaim] === undefined && isElsewhere(claims, groupClaim)

/** Returns true if the token reports a second factor (RFC 8176). */
export const hasUsedSecondFactor = (claims: Claims): boolean => wordsIn(claims, 'amr').includes('mfa')

/** @throws Problem forbidden */
export function requireAdminSecondFactor(
  role: Role,
  claims: Claims,
  { adminsNeedSecondFactor }: IdentityProvider,
): void {
  if (role !== 'admin' || !adminsNeedSecondFactor || hasUsedSecondFactor(claims)) return
  throw forbidden(
    'Your organisation requires a second factor of its admins, and your provider does not confirm one: the claim amr must contain mfa.',
  )
}

const forbidden = (sentence: string): Problem => new Problem('forbidden', sentence)
