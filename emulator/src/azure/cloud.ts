import type { CallCounts } from '#src/record/call-counts.ts'
import type { LongOperations } from '#src/azure/arm/long-operations.ts'
import type { Resources } from '#src/azure/arm/resources.ts'
import type { Accounts } from '#src/azure/compute/accounts.ts'
import type { Machines } from '#src/azure/compute/machines.ts'
import type { LateCalls } from '#src/faults/late-calls.ts'
import type { Directory } from '#src/graph/directory.ts'
import type { Database } from '#src/record/database.ts'
import type { Settings } from '#src/record/settings.ts'

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
