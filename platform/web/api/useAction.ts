import { sentenceOf } from './error.ts'
import { type CachedCalls, invalidate } from './queries.ts'
import { useDedupedMutation } from './useDedupedMutation.ts'
import { notify } from '../ui/notices.ts'

interface ActionOptions<Reply, Input> {
  invalidates: readonly CachedCalls[]
  /** True to refetch them after a failure too, because the screen may be out of date after a failure. */
  refetchesOnFailure?: boolean
  /**
   * Runs after the server's message is shown and before the refetch, for example to close the dialog or empty the form.
   */
  onDone?: (reply: Reply, input: Input) => void
  fallback?: string
  /** The specification's text of a success, for a reply without a message. */
  done?: string
  onFailed?: (error: Error) => void
  onSettled?: () => void
}

export function useAction<Reply extends { readonly message?: string }, Input = void>(
  call: (input: Input) => Promise<Reply>,
  { invalidates, refetchesOnFailure, onDone, fallback, done, onFailed, onSettled }: ActionOptions<Reply, Input>,
) {
  return useDedupedMutation({
    mutationFn: (input: Input) => call(input),
    onSuccess(reply, input) {
      const text = reply.message ?? done
      if (text !== undefined) notify.status(text)
      onDone?.(reply, input)
    },
    onError: onFailed ?? ((error) => notify.alert(sentenceOf(error, fallback ?? error.message), error)),
    onSettled(_reply, error) {
      onSettled?.()
      return error === null || refetchesOnFailure ? invalidate(...invalidates) : undefined
    },
  })
}
