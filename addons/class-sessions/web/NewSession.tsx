import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'

const NewSessionDialog = lazy(() => import('./sessions/NewSessionDialog.tsx'))

/** Opens the form for a session. */
export default function NewSession() {
  const { trainingQuery } = useSelection()
  const { data } = useQuery(query(api.schedule.list, trainingQuery))
  if (trainingQuery === null || data === undefined) return null
  return (
    <DialogButton
      variant="default"
      icon="plus"
      dialog={(close) => <NewSessionDialog training={trainingQuery} timeZone={data.timeZone} close={close} />}
    >
      New session
    </DialogButton>
  )
}
