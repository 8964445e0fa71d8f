import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { azureSandbox } from '../contract/sandbox.ts'

export type AzureAccount = ReplyOf<typeof azureSandbox.read>
export type Sandbox = AzureAccount['sandbox'][number]
