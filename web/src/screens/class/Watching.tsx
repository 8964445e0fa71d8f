import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import type { OfTraining } from '#src/navigation/selection.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import styles from './Class.module.css'
import { useTell } from './useTell.ts'

interface WatchingProps {
  of: OfTraining
  /** Holds now. */
  withoutAsking: boolean
  close: () => void
}

/** Says whether learners are asked before somebody watches their terminal. */
export default function Watching({ of, withoutAsking, close }: WatchingProps) {
  const [unasked, setUnasked] = useState(withoutAsking)
  const set = useTell(() => api.classroom.setWatching({ ...of, withoutAsking: unasked }), close)
  return (
    <Dialog
      title="Watching"
      close={close}
      foot={
        <>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button disabled={set.isPending} onClick={() => set.mutate(undefined)}>
            Save
          </Button>
        </>
      }
    >
      <p className={styles.explained}>
        Whoever teaches can open a learner&apos;s terminal and watch. The learner is asked, always sees who watches, and
        can take it back; nobody else types there unless they allow it.
      </p>
      <Checkbox
        label="Watch without asking"
        description="Learners are told so when they connect."
        checked={unasked}
        onChange={(event) => setUnasked(event.currentTarget.checked)}
      />
    </Dialog>
  )
}
