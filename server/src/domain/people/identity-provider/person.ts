import { isEmail, normaliseEmail } from '@trainyard/contract/words/email.ts'
import type { Role } from '@trainyard/contract/words/role.ts'
import type { GroupRole } from '@trainyard/contract/words/sign-in-provider.ts'
import { Problem } from '../../../core/errors.ts'
import type { Claims } from '../../../providers/open-id.ts'
import type { IdentityProvider } from './provider.ts'

/** Somebody at a provider that may speak for them. */
export interface Person {
  readonly subject: string
  readonly email: string
  /** The role that their groups give; null: none. */
  readonly role: GroupRole | null
}

/** An issuer of Microsoft's that stands for one tenant. */
const ENTRA_TENANT =
  /^https:\/\/login\.microsoftonline\.com\/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\/v2\.0$/i
const GOOGLE = 'https://accounts.google.com'

/**
 * Returns the person that an ID token speaks of, as far as its issuer may speak for them: see docs/decisions/094.
 * @throws Problem forbidden, with a sentence that their administrator can go by
 */
export function personOf(claims: Claims, provider: IdentityProvider): Person {
  const { client, domains } = provider
  const email = emailIn(claims)
  if (email === null) throw refused('Your provider does not tell your e-mail: it must send the claim email.')
  if (!domains.has(email.slice(email.lastIndexOf('@') + 1))) {
    throw refused(`The e-mail ${email} is of no domain that is verified for your organisation.`)
  }
  // A private account at Google may have any company's e-mail, also that of who left it.
  if (client.issuer === GOOGLE && !domains.has(String(claims['hd']).toLowerCase())) {
    throw refused(`${email} is a private Google account: your organisation's own must be used.`)
  }
  if (!isVerified(claims, client.issuer)) {
    throw refused(`Your provider does not say that the e-mail ${email} is verified.`)
  }
  return { subject: claims.sub, email, role: roleOf(claims, provider) }
}

/** Returns the e-mail that a provider tells, of whoever it may be; null: none. */
export function emailIn(claims: Claims): string | null {
  const email = typeof claims['email'] === 'string' ? normaliseEmail(claims['email']) : ''
  return isEmail(email) ? email : null
}

function isVerified(claims: Claims, issuer: string): boolean {
  if (claims['email_verified'] !== undefined) return claims['email_verified'] === true
  // Entra ID sends no such claim. Its tenant speaks for its own people, and for guests where it knows the domain's owner.
  if (!ENTRA_TENANT.test(issuer)) return false
  const { xms_edov: ownsDomain, idp } = claims
  if (ownsDomain !== undefined) return ownsDomain === true || ownsDomain === 1 || ownsDomain === '1'
  return idp === undefined || idp === issuer
}

/** Returns the most that somebody's groups stand for. */
function roleOf(claims: Claims, { groupClaim, roles }: IdentityProvider): GroupRole | null {
  const found = new Set(groupsIn(claims, groupClaim).map((group) => roles.get(group)))
  if (found.has('admin')) return 'admin'
  return found.has('user') ? 'user' : null
}

/** Returns the groups that a claim lists: a list of texts, or a single text. */
export function groupsIn(claims: Claims, groupClaim: string | null): readonly string[] {
  const claim = groupClaim === null ? undefined : claims[groupClaim]
  return [claim].flat().filter((group) => typeof group === 'string')
}

/** True where a provider says that somebody proved more than one factor, as RFC 8176 has it. */
export const provedTwoFactors = ({ amr }: Claims): boolean => Array.isArray(amr) && amr.includes('mfa')

/** @throws Problem forbidden for an admin of whom the provider says no second factor, where the organisation wants one */
export function refuseWithoutSecondFactor(
  role: Role,
  claims: Claims,
  { adminsNeedSecondFactor }: IdentityProvider,
): void {
  if (role !== 'admin' || !adminsNeedSecondFactor || provedTwoFactors(claims)) return
  throw refused(
    'Your provider does not say that you proved a second factor, which your organisation asks of its admins: the claim amr must list mfa.',
  )
}

const refused = (sentence: string): Problem => new Problem('forbidden', sentence)
