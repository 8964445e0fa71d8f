import { ApiError } from '#src/api/error.ts'
import type { OfTraining } from '#src/navigation/selection.ts'
import { FetchFailed } from '#src/ui/FetchFailed.tsx'
import { AccessClosed } from './AccessClosed.tsx'

/** Returns true where the access window refuses a training's data to a learner now. */
export const isClosed = (error: Error | null): boolean => error instanceof ApiError && error.code === 'closed'

/** Returns true where what was shown before must not be seen any more: it is closed now, or no longer this person's. */
export const isWithheld = (error: Error | null): boolean =>
  isClosed(error) || (error instanceof ApiError && error.code === 'notFound')

interface UnfetchedProps {
  of: OfTraining
  error: Error
  /** The error catalogue's sentence, where it has one for this. */
  text?: string
  retry: () => void
}

/** In place of a training's data: that it could not be fetched, or that it is closed to learners just now. */
export const Unfetched = ({ of, error, text = error.message, retry }: UnfetchedProps) =>
  isClosed(error) ? (
    <AccessClosed of={of} sentence={error.message} retry={retry} />
  ) : (
    <FetchFailed text={text} error={error} retry={retry} />
  )
