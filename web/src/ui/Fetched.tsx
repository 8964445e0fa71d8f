import type { ReactNode } from 'react'
import { FetchFailed } from './FetchFailed.tsx'

interface FetchedProps<T> {
  /** A query's result. */
  query: { readonly data: T | undefined; readonly error: Error | null; readonly refetch: () => unknown }
  /** Shown until the first answer. */
  loading: ReactNode
  /** The error catalogue's sentence, where it has one for this; otherwise the server's. */
  failed?: string
  children: (data: T) => ReactNode
}

/** Shows the data of a query once it is there, and tells when it could not be fetched. */
export function Fetched<T>({ query: { data, error, refetch }, loading, failed, children }: FetchedProps<T>) {
  if (data !== undefined) return children(data)
  if (error === null) return loading
  return <FetchFailed text={failed ?? error.message} error={error} retry={() => void refetch()} />
}
