import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

/** A refusal stays a refusal; only a silent or overloaded server is asked again. */
const mayHelp = (error: Error) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500

export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5_000, retry: (failures, error) => failures < 3 && mayHelp(error) },
    mutations: { retry: false },
  },
})
