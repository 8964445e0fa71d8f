import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import type { TrainingQuery } from '#src/navigation/selection.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { controlledCheck } from '#src/ui/typed-fields.tsx'
import styles from './Class.module.css'
import { useClassAction } from './useClassAction.ts'

interface WatchingProps {
  of: TrainingQuery
  withoutAsking: boolean
  close: () => void
}

/** Setting: ask learners before an instructor watches their screen, or not. */
export default function Watching({ of, withoutAsking, close }: WatchingProps) {
  const [unasked, setUnasked] = useState(withoutAsking)
  const set = useClassAction(() => api.classroom.setWatching({ ...of, withoutAsking: unasked }), close)
  return (
    <Dialog
      title="Watching"
      close={close}
      foot={
        <>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button disabled={set.isPending} onClick={() => set.mutate()}>
            Save
          </Button>
        </>
      }
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
    </Dialog>
  )
}
