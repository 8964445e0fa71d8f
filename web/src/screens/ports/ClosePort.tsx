import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { notify } from '#src/ui/notices.ts'

interface ClosePortProps {
  of: { trainingName: string; organization?: string }
  port: number
  close: () => void
}

/** Asks before a port is closed. */
export function ClosePort({ of, port, close }: ClosePortProps) {
  const cache = useQueryClient()
  const closing = useMutation({
    mutationFn: () => api.port.close({ ...of, port }),
    onSuccess: (reply) => {
      notify.status(reply.message)
      return cache.invalidateQueries({ queryKey: ['ports'] })
    },
    onError: (error) => notify.alert(error.message),
    onSettled: close,
  })
  return (
    <ConfirmDialog
      title={`Delete port ${port}`}
      confirm="Delete"
      busy={closing.isPending && 'Deleting...'}
      destroys
      onConfirm={() => closing.mutate()}
      close={close}
    >
      <p>
        Port {port} is closed on every machine of <strong>{of.trainingName}</strong>. Nobody can connect to it any more;
        connections that are open live on until they end.
      </p>
    </ConfirmDialog>
  )
}
