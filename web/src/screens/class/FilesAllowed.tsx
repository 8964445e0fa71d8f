import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { invalidate, query } from '#src/api/queries.ts'
import type { TrainingQuery } from '#src/navigation/selection.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import styles from './Class.module.css'
import { useClassAction } from '#src/training/useClassAction.ts'

export default function FilesAllowed({ training, close }: { training: TrainingQuery; close: () => void }) {
  const allowed = useQuery(query(api.remote.filesAllowed, training))
  const allow = useClassAction(
    (wanted: boolean) => api.remote.allowFiles({ ...training, allowed: wanted }),
    () => {
      void invalidate(api.remote.filesAllowed)
      close()
    },
  )
  if (allowed.data === undefined) {
    return (
      <Dialog title="Files in the browser" close={close}>
        <Fetched query={allowed} loading={<Skeleton rows={1} height="4rem" />} />
      </Dialog>
    )
  }
  const now = allowed.data.allowed
  return (
    <ConfirmDialog
      title="Files in the browser"
      close={close}
      confirm={now ? 'Do not allow' : 'Allow'}
      busy={allow.isPending && 'Saving...'}
      onConfirm={() => allow.mutate(!now)}
    >
      <p className={styles.explained}>
        {now
          ? 'Learners and instructors can transfer files of up to 1 GB to and from Linux machines, next to the terminal in the browser. If you disallow it, transfers in progress end within seconds.'
          : 'Files can’t be transferred in the browser in this training. If you allow it, learners and instructors can transfer files of up to 1 GB to and from Linux machines, next to the terminal.'}{' '}
        Each transfer is logged with user, machine, file and size, but without its content.
      </p>
    </ConfirmDialog>
  )
}
