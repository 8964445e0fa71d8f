import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { controlledCheck } from '@trainyard/platform/web/ui/typed-fields.tsx'
import styles from './Class.module.css'
import { useClassAction } from './useClassAction.ts'

interface EarlyStartProps {
  training: TrainingQuery
  allowed: boolean
  close: () => void
}

export default function EarlyStart({ training, allowed: current, close }: EarlyStartProps) {
  const [allowed, setAllowed] = useState(current)
  const set = useClassAction(() => api.classroom.setEarlyStart({ ...training, allowed }), close)
  return (
    <ConfirmDialog
      title="Early start"
      confirm="Save"
      busy={set.isPending && 'Saving...'}
      onConfirm={() => set.mutate()}
      close={close}
    >
      <p className={styles.explained}>Planned machines start automatically in time for the class.</p>
      <Checkbox
        label="Learners can start their machines earlier"
        description="Each hour that a machine runs is billed."
        {...controlledCheck(allowed, setAllowed)}
      />
    </ConfirmDialog>
  )
}
