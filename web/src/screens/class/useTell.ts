import { invalidate } from '#src/api/queries.ts'
import { useMutation } from '#src/api/useMutation.ts'
import { notify } from '#src/ui/notices.ts'

/** Returns what makes a call of the class, says its answer, and has the class asked for again. */
export function useTell<I>(call: (input: I) => Promise<{ readonly message: string }>, done?: () => void) {
  return useMutation({
    mutationFn: call,
    onSuccess: ({ message }) => {
      notify.status(message)
      done?.()
      return invalidate('classroom')
    },
    onError: (error) => notify.alert(error.message),
  })
}
