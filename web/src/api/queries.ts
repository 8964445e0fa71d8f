import { QueryClient, queryOptions, skipToken } from '@tanstack/react-query'
import type { Api, Reader } from './client.ts'
import { ApiError } from './error.ts'

/** A refusal stays a refusal; only a silent or overloaded server is asked again. */
const mayHelp = (error: Error) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500

/**
 * The browser's word for being off line is not waited for: a command that is held back until the network is back would
 * happen hours later, and a portal on this very machine answers without one.
 */
const networkMode = 'always'

export const queries = new QueryClient({
  defaultOptions: {
    queries: { networkMode, staleTime: 5_000, retry: (failures, error) => failures < 3 && mayHelp(error) },
    mutations: { networkMode, retry: false },
  },
})

/** Returns the options of `useQuery` for a call that reads. The call is not made while its input is null. */
export function query<I, R>(call: Reader<I, R>, ...[input]: [I] extends [undefined] ? [] : [input: I | null]) {
  const send = call as (input: unknown, options: { signal: AbortSignal }) => Promise<R>
  return queryOptions({
    queryKey: [...call.key, input],
    queryFn: input === null ? skipToken : ({ signal }) => send(input, { signal }),
  })
}

/** All that a module's calls answered, or one call. */
export type Answers = keyof Api | { readonly key: readonly [module: string, name: string] }

/** Makes the calls again whose answers are on the screen, and forgets their other answers: `invalidate('port')`. */
export const invalidate = (...answers: readonly Answers[]) =>
  Promise.all(
    answers.map((each) => queries.invalidateQueries({ queryKey: typeof each === 'string' ? [each] : each.key })),
  )
