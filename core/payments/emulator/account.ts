import type { Clock } from '@trainyard/platform/emulator/clock/clock.ts'
import type { Faults } from '@trainyard/platform/emulator/faults/faults.ts'
import type { Database } from '@trainyard/platform/emulator/record/database.ts'
import type { Settings } from '@trainyard/platform/emulator/record/settings.ts'
import { Records, tables } from './records.ts'
import { Webhooks } from './webhooks.ts'

export const REFUNDS_DELAYED = 'razorpay.refunds.wait'

export interface Razorpay {
  readonly database: Database
  readonly settings: Settings
  readonly clock: Clock
  readonly faults: Faults
  readonly records: Records
  readonly webhooks: Webhooks
  /** Factor by which the answer time of a bank is multiplied. */
  readonly latency: number
  areRefundsDelayed(): boolean
}

export function openRazorpay(options: {
  readonly database: Database
  readonly settings: Settings
  readonly clock: Clock
  readonly faults: Faults
  readonly latency: number
}): Razorpay {
  options.database.applySchema(tables)
  const areRefundsDelayed = () => options.settings.read(REFUNDS_DELAYED) === 'yes'
  return { ...options, records: new Records(options.database), webhooks: new Webhooks(options), areRefundsDelayed }
}
