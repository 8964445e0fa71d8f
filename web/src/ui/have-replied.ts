import type { UseQueryResult } from '@tanstack/react-query'

/**
 * Returns true once the queries have replied or failed. Sections below a list wait for this, because its reply would
 * move them under a click.
 */
export const haveReplied = (...queries: readonly Pick<UseQueryResult, 'isFetched' | 'failureCount'>[]): boolean =>
  queries.every(({ isFetched, failureCount }) => isFetched || failureCount > 0)
