import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { azureSandbox } from '@trainyard/contract/calls/sandbox.ts'

export type AzureAccount = ReplyOf<typeof azureSandbox.read>
export type Sandbox = AzureAccount['sandbox'][number]
