import { Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Claims } from './open-id-provider.ts'
import { groupsIn, hasTooManyGroups, identityOf, hasUsedSecondFactor, requireAdminSecondFactor } from './identity.ts'
import type { IdentityProvider } from './provider.ts'

const GROUPS_LISTED_MAX = 20

/**
 * Describes the result of a test sign-in. If the sign-in would be rejected, the last sentence states why.
 * @param claims of the token, or the error message
 */
export function describeTestSignIn(
  claims: Claims | string,
  provider: IdentityProvider,
): { works: boolean; found: string[] } {
  if (typeof claims === 'string') return { works: false, found: [claims] }
  const found = [`The provider's ID token is valid. Its subject is ${claims.sub}.`]
  const { groupClaim, adminsNeedSecondFactor } = provider
  if (groupClaim !== null) {
    const groups = groupsIn(claims, groupClaim).slice(0, GROUPS_LISTED_MAX)
    if (hasTooManyGroups(claims, provider)) {
      found.push(
        `The user is in too many groups, so the provider does not send the claim ${groupClaim}: assign groups to the application, and choose to send only those.`,
      )
    } else if (groups.length === 0) {
      found.push(`The claim ${groupClaim} contains no groups.`)
    } else {
      found.push(`The claim ${groupClaim} contains ${groups.join(', ')}.`)
    }
  }
  const proved = hasUsedSecondFactor(claims)
  found.push(
    proved
      ? 'The provider confirms a second factor (mfa in the claim amr).'
      : `The provider does not confirm a second factor (mfa in the claim amr)${adminsNeedSecondFactor ? ': admins cannot sign in like this' : ''}.`,
  )
  try {
    const { email, role } = identityOf(claims, provider)
    requireAdminSecondFactor(role ?? 'user', claims, provider)
    const as =
      role === null
        ? 'with the role of the existing account, or as user if it is new'
        : `as ${role}, based on their groups`
    return { works: true, found: [...found, `${email} signs in ${as}.`] }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { works: false, found: [...found, error.message] }
  }
}
