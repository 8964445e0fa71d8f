import type { ReactNode } from 'react'
import { FetchFailed } from './FetchFailed.tsx'

interface FetchedProps<T> {
  query: { readonly data: T | undefined; readonly error: Error | null; readonly refetch: () => unknown }
  loading: ReactNode
  /** Sentence of the error catalogue for this call; by default the server's message. */
  failed?: string
  /** If omitted, only the loading and failed states are rendered. */
  children?: (data: T) => ReactNode
}

export function Fetched<T>({ query: { data, error, refetch }, loading, failed, children }: FetchedProps<T>) {
  if (data !== undefined) return children?.(data)
  if (error === null) return loading
  return <FetchFailed text={failed ?? error.message} error={error} retry={() => void refetch()} />
}
