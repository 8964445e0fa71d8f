import { QueryClient } from '@tanstack/query-core'
import { mayRetry, pauseAfter } from './backoff.ts'
import { ApiError } from './error.ts'
import { REFUSED_MS } from './refusals.ts'

/** Returns the pause before a failed read is repeated, in ms. */
function pauseOf(failures: number, error: Error): number {
  if (!(error instanceof ApiError)) return pauseAfter(failures)
  const isRefused = error.status >= 400 && error.status < 500
  return Math.max(pauseAfter(failures, error.retryAfter), isRefused ? REFUSED_MS * (1 + Math.random() / 2) : 0)
}

const mayHelp = (error: Error) => !(error instanceof ApiError) || mayRetry(error.status, error.retryAfter)

/** Calls are made even if the browser reports that it is offline. Otherwise a delayed command would run hours later. */
const networkMode = 'always'

/** Replies to reads, by call and input. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode,
      staleTime: 5_000,
      retry: (failures, error) => failures < 3 && mayHelp(error),
      retryDelay: pauseOf,
    },
    mutations: { networkMode, retry: false },
  },
})
