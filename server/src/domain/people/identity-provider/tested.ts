import { Problem } from '../../../core/errors.ts'
import type { Claims } from '../../../providers/open-id.ts'
import { groupsIn, personOf, provedTwoFactors, refuseWithoutSecondFactor } from './person.ts'
import type { IdentityProvider } from './provider.ts'

/** Maximum number of groups listed. */
const NAMED = 20

/**
 * Describes the result of a test sign-in in sentences for the administrator. If it would be rejected, the last sentence
 * states why.
 * @param claims the ID token's claims, or the error message if there are none
 */
export function tested(claims: Claims | string, provider: IdentityProvider): { works: boolean; found: string[] } {
  if (typeof claims === 'string') return { works: false, found: [claims] }
  const found = [`The provider's answer is genuine. It calls the person ${claims.sub}.`]
  const { groupClaim, adminsNeedSecondFactor } = provider
  if (groupClaim !== null) {
    const groups = groupsIn(claims, groupClaim).slice(0, NAMED)
    found.push(
      groups.length === 0
        ? `The claim ${groupClaim} lists no groups.`
        : `The claim ${groupClaim} lists ${groups.join(', ')}.`,
    )
  }
  const proved = provedTwoFactors(claims)
  found.push(
    proved
      ? 'It says that a second factor was proved (mfa in the claim amr).'
      : `It says nothing of a second factor (mfa in the claim amr)${adminsNeedSecondFactor ? ': no admin comes in like this' : ''}.`,
  )
  try {
    const { email, role } = personOf(claims, provider)
    refuseWithoutSecondFactor(role ?? 'user', claims, provider)
    const as = role === null ? 'with the role that their account has, user if it is new' : `as ${role}, by their groups`
    return { works: true, found: [...found, `${email} comes in ${as}.`] }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { works: false, found: [...found, error.message] }
  }
}
