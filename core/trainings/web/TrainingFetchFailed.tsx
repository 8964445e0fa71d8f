import { ApiError } from '@trainyard/platform/web/api/error.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { FetchFailed } from '@trainyard/platform/web/ui/FetchFailed.tsx'
import { AccessClosed } from './AccessClosed.tsx'

export const isClosed = (error: Error | null): boolean => error instanceof ApiError && error.code === 'closed'

/** Returns a poll interval in ms that ends outside the access window, when `AccessClosed` refetches the data. */
export const pollUnlessClosed =
  <Data,>(interval: (data: Data | undefined) => number) =>
  ({ state }: { state: { data?: Data | undefined; error: Error | null } }): number | false =>
    !isClosed(state.error) && interval(state.data)

/** True if cached data must no longer be shown. */
export const isAccessRevoked = (error: Error | null): boolean =>
  isClosed(error) || (error instanceof ApiError && error.code === 'notFound')

interface TrainingFetchFailedProps {
  training: TrainingQuery
  error: Error
  text?: string
  retry: () => void
}

export const TrainingFetchFailed = ({ training, error, text = error.message, retry }: TrainingFetchFailedProps) =>
  isClosed(error) ? (
    <AccessClosed training={training} sentence={error.message} retry={retry} />
  ) : (
    <FetchFailed text={text} error={error} retry={retry} />
  )
