import type { UseQueryResult } from '@tanstack/react-query'

/** Sections below a list wait for it: its reply would move them under a click. Failures count as replies. */
export const haveReplied = (...queries: readonly Pick<UseQueryResult, 'isFetched' | 'failureCount'>[]): boolean =>
  queries.every(({ isFetched, failureCount }) => isFetched || failureCount > 0)
