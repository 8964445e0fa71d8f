import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

/** A refusal stays a refusal; only a silent or overloaded server is asked again. */
const mayHelp = (error: Error) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500

/**
 * The browser's word for being off line is not waited for: a command that is kept until the network is back would
 * happen hours later, and a portal on this very machine answers without one.
 */
const networkMode = 'always'

export const queries = new QueryClient({
  defaultOptions: {
    queries: { networkMode, staleTime: 5_000, retry: (failures, error) => failures < 3 && mayHelp(error) },
    mutations: { networkMode, retry: false },
  },
})
