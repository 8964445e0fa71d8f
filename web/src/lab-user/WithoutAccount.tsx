import { EMPTY } from '@trainyard/contract/words/problems.ts'
import { ApiError } from '#src/api/error.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { FetchFailed } from '#src/ui/FetchFailed.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'

interface WithoutAccountProps {
  error: Error | null
  retry: () => void
  /** The number and height of the grey lines in place of the account. */
  rows: number
  height: string
}

/** In place of a lab user's own account: that it is on its way, that there is none, or that it can't be fetched. */
export function WithoutAccount({ error, retry, rows, height }: WithoutAccountProps) {
  if (error === null) return <Skeleton rows={rows} height={height} />
  if (error instanceof ApiError && error.status === 404) return <EmptyState text={EMPTY.sandboxes} />
  return <FetchFailed text={error.message} error={error} retry={retry} />
}
