import {
  useMutation as useTanstackMutation,
  type UseMutationOptions,
  type UseMutationResult,
} from '@tanstack/react-query'
import { useCallback, useRef } from 'react'

/**
 * TanStack's `useMutation`, except that variables equal to those of a call in progress are ignored: a second quick
 * click comes before the screen shows the button as busy. Different variables, such as another machine, are sent.
 */
export function useDedupedMutation<Data, Variables = void, Before = unknown>(
  options: UseMutationOptions<Data, Error, Variables, Before>,
): UseMutationResult<Data, Error, Variables, Before> {
  const mutation = useTanstackMutation(options)
  const { mutateAsync } = mutation
  const inProgress = useRef(new Set<string>())
  const mutate = useCallback<typeof mutation.mutate>(
    (...[variables, each]) => {
      const key = JSON.stringify([variables])
      if (inProgress.current.has(key)) return
      inProgress.current.add(key)
      const finish = () => inProgress.current.delete(key)
      // Failures are handled by `options.onError`.
      mutateAsync(variables as Variables, each).then(finish, finish)
    },
    [mutateAsync],
  )
  return { ...mutation, mutate }
}
