import type { UseQueryResult } from '@tanstack/react-query'

/**
 * Returns true once the queries have replied or failed. Sections below a list wait for these replies, because a list
 * that grows would move the sections while the user clicks.
 */
export const haveReplied = (...queries: readonly Pick<UseQueryResult, 'isFetched' | 'failureCount'>[]): boolean =>
  queries.every(({ isFetched, failureCount }) => isFetched || failureCount > 0)
