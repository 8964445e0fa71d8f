import type { UseQueryResult } from '@tanstack/react-query'

/**
 * Returns true from the first answer of each query on. What stands below a list waits for the list's answer: otherwise
 * it moves when the answer comes, and a press under way is lost. A failure counts too, so that one list that can't be
 * fetched does not hide the rest.
 */
export const answered = (...queries: readonly Pick<UseQueryResult, 'isFetched' | 'failureCount'>[]): boolean =>
  queries.every(({ isFetched, failureCount }) => isFetched || failureCount > 0)
