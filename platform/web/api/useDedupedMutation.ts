import {
  useMutation as useTanstackMutation,
  type UseMutationOptions,
  type UseMutationResult,
} from '@tanstack/react-query'
import { useCallback, useRef } from 'react'

/** Returns `useMutation` that ignores a second quick click: a call with the same variables as one in progress. */
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
      mutateAsync(variables as Variables, each).then(finish, finish)
    },
    [mutateAsync],
  )
  return { ...mutation, mutate }
}
