import { connectedModules } from '../shell/modules.ts'
import { infiniteQueryOptions, QueryClient, queryOptions, skipToken, useIsFetching } from '@tanstack/react-query'
import type { Api, Reader } from './client.ts'
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

export function query<I, R>(call: Reader<I, R>, ...[input]: [I] extends [undefined] ? [] : [input: I | null]) {
  const send = call as (input: unknown, options: { signal: AbortSignal }) => Promise<R>
  return queryOptions({
    queryKey: [...call.key, input],
    queryFn: input === null ? skipToken : ({ signal }) => send(input, { signal }),
  })
}

/** Returns the `useInfiniteQuery` options of a read-only call whose pages go back in time from the newest one. */
export function pagesOf<I extends { before?: string | undefined }, R extends { readonly earlier: string | null }>(
  call: Reader<I, R>,
  input: Omit<I, 'before'>,
) {
  const send = call as (input: unknown, options: { signal: AbortSignal }) => Promise<R>
  return infiniteQueryOptions({
    queryKey: [...call.key, 'pages', input],
    queryFn: ({ pageParam, signal }) => send({ ...input, ...(pageParam !== '' && { before: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ earlier }) => earlier,
  })
}

/** Returns true while a read waits to be repeated because the server was too busy to answer it. */
export const useIsServerBusy = (): boolean =>
  useIsFetching({
    predicate: ({ state: { fetchFailureReason: reason } }) =>
      reason instanceof ApiError && (reason.code === 'unavailable' || reason.status === 429),
  }) > 0

export type CachedCalls = keyof Api | { readonly key: readonly string[] }

export const EVERYTHING: readonly CachedCalls[] = [{ key: [] }]

/** Marks cached replies as stale, with those that depend on them, and refetches those on screen: `invalidate('port')`. */
export function invalidate(...answers: readonly CachedCalls[]) {
  const keys = answers.map((each) => (typeof each === 'string' ? [each] : each.key))
  const stale = new Set(
    connectedModules().flatMap(({ refetches = {} }) => keys.flatMap(([group]) => refetches[group as keyof Api] ?? [])),
  )
  return Promise.all(
    [...keys, ...[...stale].map((group) => [group])].map((queryKey) => queries.invalidateQueries({ queryKey })),
  )
}
