import type { UseQueryResult } from '@tanstack/react-query'

/**
 * Returns true once each query has replied or failed. Sections below a list are rendered only then: otherwise the
 * list's reply would move them, and a click in progress would miss. Failures count, so that one failed list does not
 * hide the rest.
 */
export const haveReplied = (...queries: readonly Pick<UseQueryResult, 'isFetched' | 'failureCount'>[]): boolean =>
  queries.every(({ isFetched, failureCount }) => isFetched || failureCount > 0)
