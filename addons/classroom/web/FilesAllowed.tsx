import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { invalidate, query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import styles from './Class.module.css'
import { useClassAction } from './useClassAction.ts'

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
