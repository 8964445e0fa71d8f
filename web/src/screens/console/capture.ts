import { useMutation } from '@tanstack/react-query'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { api } from '#src/api/client.ts'
import { invalidate } from '#src/api/queries.ts'
import { notify } from '#src/ui/notices.ts'

/** Has an image made of a stopped machine. Its card then says so until the image is ready. */
export function useCapture() {
  const { mutate } = useMutation({
    mutationFn: ({ name }: Machine) => api.capture.create({ vm: name }),
    onSuccess: (reply) => notify.status(reply.message),
    onError: (error) => notify.alert(error.message),
    onSettled: () => invalidate('machine', 'capture'),
  })
  return mutate
}
