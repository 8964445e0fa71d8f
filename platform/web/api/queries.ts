import { infiniteQueryOptions, queryOptions, skipToken, useIsFetching } from '@tanstack/react-query'
import type { Api, Reader } from './client.ts'
import { queries } from './cache.ts'
import { ApiError } from './error.ts'

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

type Refetches = { readonly [group in keyof Api]?: readonly (keyof Api)[] }

let connected: readonly Refetches[] = []

/** Connects the groups of calls whose cached replies become stale with those of another group. */
export const connectRefetches = (refetches: readonly Refetches[]): void => void (connected = refetches)

/** Marks cached replies as stale, with those that depend on them, and refetches those on screen: `invalidate('port')`. */
export function invalidate(...answers: readonly CachedCalls[]) {
  const keys = answers.map((each) => (typeof each === 'string' ? [each] : each.key))
  const stale = new Set(
    connected.flatMap((refetches) => keys.flatMap(([group]) => refetches[group as keyof Api] ?? [])),
  )
  return Promise.all(
    [...keys, ...[...stale].map((group) => [group])].map((queryKey) => queries.invalidateQueries({ queryKey })),
  )
}
