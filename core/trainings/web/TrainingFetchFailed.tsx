import { lazy, Suspense } from 'react'
import { ApiError } from '@trainyard/platform/web/api/error.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { FetchFailed } from '@trainyard/platform/web/ui/FetchFailed.tsx'
import type { Access } from './useAccessWindow.ts'

const AccessClosed = lazy(() => import('./AccessClosed.tsx'))

export const isClosed = (error: Error | null): boolean => error instanceof ApiError && error.code === 'closed'

/** True if cached data must no longer be shown. */
export const isAccessRevoked = (error: Error | null): boolean =>
  isClosed(error) || (error instanceof ApiError && error.code === 'notFound')

interface TrainingFetchFailedProps {
  training: TrainingQuery
  access: Access
  error: Error | null
  text?: string
  retry: () => void
}

/** Says when a training opens whose access window is closed, otherwise why it could not be read. */
export function TrainingFetchFailed({ training, access, error, text, retry }: TrainingFetchFailedProps) {
  return access === false || isClosed(error) ? (
    <Suspense>
      <AccessClosed training={training} />
    </Suspense>
  ) : (
    <FetchFailed text={text ?? error!.message} error={error} retry={retry} />
  )
}
