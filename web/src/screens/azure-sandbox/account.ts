import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { azureSandbox } from '@trainyard/contract/calls/sandbox.ts'
import type { May } from '@trainyard/contract/words/machine.ts'

export type Account = ReplyOf<typeof azureSandbox.read>
export type Sandbox = Account['sandbox'][number]

export const ACCOUNT_KEY = ['azure sandbox']

/** Rupees, exactly: the wire's have at most two decimals. */
export const creditsLeft = ({ total, consumed }: Account['credits']): number =>
  (Math.round(total * 100) - Math.round(consumed * 100)) / 100

/** Whether one more sandbox may be asked for, as far as the credits go. */
export const mayCreate = (credits: Account['credits']): May =>
  creditsLeft(credits) > 0 ? true : 'No credits are left.'
