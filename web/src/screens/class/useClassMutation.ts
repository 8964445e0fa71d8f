import { invalidate } from '#src/api/queries.ts'
import { useDedupedMutation } from '#src/api/useDedupedMutation.ts'
import { notify } from '#src/ui/notices.ts'

/** Returns a mutation for a class call that shows the server's reply and refetches the class. */
export function useClassMutation<I>(call: (input: I) => Promise<{ readonly message: string }>, done?: () => void) {
  return useDedupedMutation({
    mutationFn: call,
    onSuccess: ({ message }) => {
      notify.status(message)
      done?.()
      return invalidate('classroom')
    },
    onError: (error) => notify.alert(error.message),
  })
}
