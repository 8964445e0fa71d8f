import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { organisation } from '../contract/organisation.ts'
import type { SecondFactorRule } from '@trainyard/platform/contract/words/sign-in.ts'
import type { Settings } from './profile-form.ts'

export type SecurityChanges = Omit<BodyOf<typeof organisation.changeSecurity>, 'organization'>

export interface ChosenSecurity {
  readonly passwordChangeRequired: boolean
  readonly passwordsAllowed: boolean
  readonly secondFactor: SecondFactorRule | ''
  readonly idleMinutes: string
}

export const chosenOf = ({ security }: Settings): ChosenSecurity => ({
  passwordChangeRequired: security.passwordChangeRequired,
  passwordsAllowed: security.passwordsAllowed,
  secondFactor: security.secondFactor ?? '',
  idleMinutes: security.idleMinutes === null ? '' : String(security.idleMinutes),
})

/** Returns the changed rules as the call takes them, which validates them. */
export function securityChanges(settings: Settings, chosen: ChosenSecurity): SecurityChanges {
  const before = chosenOf(settings)
  const { passwordChangeRequired, passwordsAllowed, secondFactor } = chosen
  const idleMinutes = chosen.idleMinutes.trim()
  return {
    ...(passwordChangeRequired !== before.passwordChangeRequired && { passwordChangeRequired }),
    ...(passwordsAllowed !== before.passwordsAllowed && { passwordsAllowed }),
    ...(secondFactor !== before.secondFactor && { secondFactor: secondFactor || null }),
    ...(idleMinutes !== before.idleMinutes && { idleMinutes: idleMinutes === '' ? null : Number(idleMinutes) }),
  }
}
