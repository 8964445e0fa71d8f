import { useMutation as useUnguarded, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'

/**
 * TanStack's `useMutation`, which sends nothing that it is sending already: the second of two quick clicks comes before
 * a screen shows the first as busy. What differs is sent all the same, such as the power of another machine.
 */
export function useMutation<Data, Variables = void, Before = unknown>(
  options: UseMutationOptions<Data, Error, Variables, Before>,
): UseMutationResult<Data, Error, Variables, Before> {
  const mutation = useUnguarded(options)
  const { mutateAsync } = mutation
  const underWay = useRef(new Set<string>())
  const mutate = useCallback<typeof mutation.mutate>(
    (...[variables, each]) => {
      const what = JSON.stringify([variables])
      if (underWay.current.has(what)) return
      underWay.current.add(what)
      const over = () => underWay.current.delete(what)
      // The options hear of a failure.
      mutateAsync(variables as Variables, each).then(over, over)
    },
    [mutateAsync],
  )
  return { ...mutation, mutate }
}
