import { ApiError } from '#src/api/error.ts'
import type { TrainingQuery } from '#src/navigation/selection.ts'
import { FetchFailed } from '#src/ui/FetchFailed.tsx'
import { AccessClosed } from './AccessClosed.tsx'

/** Returns true if a learner was refused outside the access window. */
export const isClosed = (error: Error | null): boolean => error instanceof ApiError && error.code === 'closed'

/**
 * Returns true if cached data must no longer be shown: the window has closed, or the learner no longer has the
 * training.
 */
export const isAccessRevoked = (error: Error | null): boolean =>
  isClosed(error) || (error instanceof ApiError && error.code === 'notFound')

interface TrainingFetchFailedProps {
  of: TrainingQuery
  error: Error
  /** Sentence of the error catalogue, if it has one for this call. */
  text?: string
  retry: () => void
}

/** Shown instead of a training's data that is closed to learners or could not be fetched. */
export const TrainingFetchFailed = ({ of, error, text = error.message, retry }: TrainingFetchFailedProps) =>
  isClosed(error) ? (
    <AccessClosed of={of} sentence={error.message} retry={retry} />
  ) : (
    <FetchFailed text={text} error={error} retry={retry} />
  )
