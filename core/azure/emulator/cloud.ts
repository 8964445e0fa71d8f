import type { CallCounts } from '@trainyard/platform/emulator/record/call-counts.ts'
import type { LongOperations } from './arm/long-operations.ts'
import type { Resources } from './arm/resources.ts'
import type { Accounts } from './compute/accounts.ts'
import type { Machines } from './compute/machines.ts'
import type { LateCalls } from '@trainyard/platform/emulator/faults/late-calls.ts'
import type { Directory } from './directory.ts'
import type { Database } from '@trainyard/platform/emulator/record/database.ts'
import type { Settings } from '@trainyard/platform/emulator/record/settings.ts'

export interface AzureCloud {
  readonly database: Database
  readonly settings: Settings
  readonly resources: Resources
  readonly operations: LongOperations
  readonly machines: Machines
  readonly directory: Directory
  readonly late: LateCalls
  readonly accounts: Accounts
  readonly calls: CallCounts
}
