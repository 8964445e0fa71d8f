import { SIGN_IN } from '../../contract/words/sign-in.ts'
import { Problem } from './errors.ts'

export interface SecondFactorDuty {
  /** Time from which a user without a second factor can only make the calls that set up a second factor. */
  readonly due: Date
  readonly state: 'met' | 'open' | 'overdue'
}

/**
 * @throws Problem secondFactorDue if the user's grace period has ended and the call does not set up a second factor
 */
export function requireSecondFactor(
  duty: SecondFactorDuty | null,
  allowedBeforeSecondFactor: boolean | undefined,
): void {
  if (duty?.state === 'overdue' && !allowedBeforeSecondFactor)
    throw new Problem('secondFactorDue', SIGN_IN.secondFactorDue)
}
