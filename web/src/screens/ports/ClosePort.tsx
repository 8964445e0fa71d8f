import { api } from '#src/api/client.ts'
import type { OfTraining } from '#src/navigation/selection.ts'
import { DeleteDialog } from '#src/ui/DeleteDialog.tsx'

interface ClosePortProps {
  of: OfTraining
  port: number
  close: () => void
}

/** Asks before a port is closed. */
export function ClosePort({ of, port, close }: ClosePortProps) {
  return (
    <DeleteDialog name={`port ${port}`} remove={() => api.port.close({ ...of, port })} renews={['port']} close={close}>
      <p>
        Port {port} is closed on every machine of <strong>{of.trainingName}</strong>. Nobody can connect to it any more;
        connections that are open live on until they end.
      </p>
    </DeleteDialog>
  )
}
