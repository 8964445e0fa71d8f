import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { api } from '#src/api.ts'
import { imagesKey } from '#src/images.ts'
import type { OfTraining } from '#src/chosen.ts'
import { notify } from '#src/ui/notices.ts'
import { machinesKey } from './machines.ts'

/** Has an image made of a stopped machine. Its card then says so until the image is ready. */
export function useCapture(of: OfTraining | null) {
  const cache = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: ({ name }: Machine) => api.capture.create({ vm: name }),
    onSuccess: (reply) => notify.status(reply.message),
    onError: (error) => notify.alert(error.message),
    onSettled: () => Promise.all([machinesKey(of), imagesKey].map((queryKey) => cache.invalidateQueries({ queryKey }))),
  })
  return mutate
}
