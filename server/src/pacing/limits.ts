import type { CallKind } from '../providers/call-gate.ts'

/** A bucket that holds `burst` tokens at most and gets `perSecond` new ones; each request takes one. */
export interface Limit {
  readonly burst: number
  readonly perSecond: number
}

/**
 * Azure Resource Manager's, for each subscription, principal and region: the region where requests come in, not the
 * machine's, so that a portal that runs in one place has one bucket of each kind.
 * Source: learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 */
export const AZURE_LIMITS: Readonly<Record<CallKind, Limit>> = {
  read: { burst: 250, perSecond: 25 },
  write: { burst: 200, perSecond: 10 },
  delete: { burst: 200, perSecond: 10 },
}

/** Azure Compute's, for the changes of one machine. */
export const AZURE_MACHINE_LIMIT: Limit = { burst: 12, perSecond: 4 / 60 }
