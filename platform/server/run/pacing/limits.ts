import type { CallKind } from '../../providers/rate-limiter.ts'

/** A token bucket with at most `burst` tokens and `perSecond` new ones. Each request takes one token. */
export interface TokenBucket {
  readonly burst: number
  readonly perSecond: number
}

/**
 * Limits per subscription, principal and region of arrival. Source:
 * learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 */
export const AZURE_LIMITS: Readonly<Record<CallKind, TokenBucket>> = {
  read: { burst: 250, perSecond: 25 },
  write: { burst: 200, perSecond: 10 },
  delete: { burst: 200, perSecond: 10 },
}

export const AZURE_MACHINE_LIMIT: TokenBucket = { burst: 12, perSecond: 4 / 60 }
