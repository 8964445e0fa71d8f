import { EMPTY } from '@trainyard/contract/words/problems.ts'
import { ApiError } from '#src/api/error.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { FetchFailed } from '#src/ui/FetchFailed.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'

interface AccountFallbackProps {
  error: Error | null
  retry: () => void
  rows: number
  height: string
}

export function AccountFallback({ error, retry, rows, height }: AccountFallbackProps) {
  if (error === null) return <Skeleton rows={rows} height={height} />
  if (error instanceof ApiError && error.status === 404) return <EmptyState text={EMPTY.sandboxes} />
  return <FetchFailed text={error.message} error={error} retry={retry} />
}
