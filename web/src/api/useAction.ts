import { sentenceOf } from '#src/api/error.ts'
import { type CachedCalls, invalidate } from '#src/api/queries.ts'
import { useDedupedMutation } from '#src/api/useDedupedMutation.ts'
import { notify } from '#src/ui/notices.ts'

interface ActionOptions<Reply, Input> {
  /** Cached calls to refetch after a success. */
  invalidates: readonly CachedCalls[]
  /** True to refetch them after a failure too, which can mean that the screen is out of date. */
  refetchesOnFailure?: boolean
  /** Runs after the server's message is shown and before the refetch: closes the dialog or empties the form. */
  onDone?: (reply: Reply, input: Input) => void
  /** Sentence for a failure without a message from the server (error catalogue). */
  fallback?: string
  /** Handles a failure instead of the alert, such as by a message next to the field. */
  onFailed?: (error: Error) => void
  /** Runs after a success or failure, before the refetch. */
  onSettled?: () => void
}

/** Returns a mutation that makes a call, shows the server's message or the failure, and refetches `invalidates`. */
export function useAction<Reply extends { readonly message: string }, Input = void>(
  call: (input: Input) => Promise<Reply>,
  { invalidates, refetchesOnFailure, onDone, fallback, onFailed, onSettled }: ActionOptions<Reply, Input>,
) {
  return useDedupedMutation({
    mutationFn: (input: Input) => call(input),
    onSuccess(reply, input) {
      notify.status(reply.message)
      onDone?.(reply, input)
    },
    onError: onFailed ?? ((error) => notify.alert(sentenceOf(error, fallback ?? error.message), error)),
    onSettled(_reply, error) {
      onSettled?.()
      return error === null || refetchesOnFailure ? invalidate(...invalidates) : undefined
    },
  })
}
