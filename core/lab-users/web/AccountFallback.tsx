import { EMPTY } from '@trainyard/platform/contract/words/problems.ts'
import { ApiError } from '@trainyard/platform/web/api/error.ts'
import { EmptyState } from '@trainyard/platform/web/ui/EmptyState.tsx'
import { FetchFailed } from '@trainyard/platform/web/ui/FetchFailed.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'

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
