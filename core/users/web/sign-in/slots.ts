import type { RefusalOf } from '@trainyard/platform/contract/call.ts'
import { service, slot } from '@trainyard/platform/web/shell/module.ts'
import type { session } from '../../contract/user.ts'
import type { SignedIn } from './signed-in.ts'

/** Ways to sign in without a password, below the button of the login. */
export const loginWays = slot<{ entered: (reply: SignedIn) => void; fail: (sentence: string) => void }>('login.ways')
/** Form for the second factor, after a correct password. */
export const loginSecondStep = slot<{
  step: RefusalOf<typeof session.login>
  entered: (reply: SignedIn) => void
  /** Returns to the password, with the sentence in its banner. */
  back: (sentence: string) => void
}>('login.secondStep')
/** Screen that the first superadmin sees after the set-up. Default: Home. */
export const screenAfterSetUp = service<`/${string}`>('setUp.screenAfter')
