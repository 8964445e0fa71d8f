import type { UseQueryResult } from '@tanstack/react-query'

/**
 * Returns true from the first answer of each query on, or its first failure. What stands below its answer waits for
 * it: otherwise it moves while the answer comes, and a press that is under way is lost.
 */
export const answered = (...queries: readonly Pick<UseQueryResult, 'isFetched' | 'failureCount'>[]): boolean =>
  queries.every(({ isFetched, failureCount }) => isFetched || failureCount > 0)
