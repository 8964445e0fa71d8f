import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { organisation } from '../contract/organisation.ts'
import {
  IDLE_MINUTES_MAX,
  IDLE_MINUTES_MIN,
  type SecondFactorRule,
} from '@trainyard/platform/contract/words/sign-in.ts'
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

export function securityChanges(settings: Settings, chosen: ChosenSecurity): SecurityChanges | null {
  const before = chosenOf(settings)
  const { passwordChangeRequired, passwordsAllowed, secondFactor } = chosen
  const entered = chosen.idleMinutes.trim()
  const minutes = entered === '' ? null : Number(entered)
  if (minutes !== null && !(Number.isInteger(minutes) && minutes >= IDLE_MINUTES_MIN && minutes <= IDLE_MINUTES_MAX)) {
    return null
  }
  return {
    ...(passwordChangeRequired !== before.passwordChangeRequired && { passwordChangeRequired }),
    ...(passwordsAllowed !== before.passwordsAllowed && { passwordsAllowed }),
    ...(secondFactor !== before.secondFactor && { secondFactor: secondFactor || null }),
    ...(entered !== before.idleMinutes && { idleMinutes: minutes }),
  }
}
