import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { today } from '@trainyard/platform/web/ui/time.ts'
import { useNow } from '@trainyard/platform/web/ui/useNow.ts'
import SessionForm from './SessionForm.tsx'

interface NewSessionDialogProps {
  training: TrainingQuery
  timeZone: string
  close: () => void
}

/** Form of a new session on another screen than the calendar. */
export default function NewSessionDialog({ training, timeZone, close }: NewSessionDialogProps) {
  const day = today(useNow(), timeZone)
  const { data } = useQuery(query(api.classSession.list, { ...training, from: day, until: day }))
  if (data === undefined) return null
  return (
    <SessionForm
      training={training}
      draft={{ date: day, start: '09:00', stop: '17:00' }}
      endsOn={data.endsOn}
      close={close}
    />
  )
}
