import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { controlledCheck } from '@trainyard/platform/web/ui/typed-fields.tsx'
import styles from './Class.module.css'
import { useClassAction } from './useClassAction.ts'

interface WatchingProps {
  training: TrainingQuery
  withoutAsking: boolean
  close: () => void
}

export default function Watching({ training, withoutAsking, close }: WatchingProps) {
  const [unasked, setUnasked] = useState(withoutAsking)
  const set = useClassAction(() => api.classroom.setWatching({ ...training, withoutAsking: unasked }), close)
  return (
    <ConfirmDialog
      title="Watching"
      confirm="Save"
      busy={set.isPending && 'Saving...'}
      onConfirm={() => set.mutate()}
      close={close}
    >
      <p className={styles.explained}>
        Instructors can watch a learner&apos;s screen. The learner is asked first, always sees who is watching, and can
        end it. Instructors can type only if the learner allows it.
      </p>
      <Checkbox
        label="Watch without asking"
        description="Learners are informed when they connect."
        {...controlledCheck(unasked, setUnasked)}
      />
    </ConfirmDialog>
  )
}
