import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { invalidate, query } from '#src/api/queries.ts'
import type { OfTraining } from '#src/navigation/selection.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import styles from './Class.module.css'
import { useTell } from './useTell.ts'

/** Allows files to be moved by the browser in a training, or not any more. */
export default function FilesAllowed({ of, close }: { of: OfTraining; close: () => void }) {
  const allowed = useQuery(query(api.remote.filesAllowed, of))
  const allow = useTell(
    (wanted: boolean) => api.remote.allowFiles({ ...of, allowed: wanted }),
    () => {
      void invalidate(api.remote.filesAllowed)
      close()
    },
  )
  if (allowed.data === undefined) {
    return (
      <Dialog title="Files by the browser" close={close}>
        <Fetched query={allowed} loading={<Skeleton rows={1} height="4rem" />}>
          {() => null}
        </Fetched>
      </Dialog>
    )
  }
  const now = allowed.data.allowed
  return (
    <ConfirmDialog
      title="Files by the browser"
      close={close}
      confirm={now ? 'Do not allow' : 'Allow'}
      busy={allow.isPending && 'Saving...'}
      onConfirm={() => allow.mutate(!now)}
    >
      <p className={styles.explained}>
        {now
          ? 'Learners and instructors move files of up to 1 GB to and from Linux machines, beside the terminal in the browser. Without it, what is under way ends within seconds.'
          : 'Files are not moved by the browser in this training. With it, learners and instructors move files of up to 1 GB to and from Linux machines, beside the terminal.'}{' '}
        Each is written down: who, which machine and file, how large; nothing of its content.
      </p>
    </ConfirmDialog>
  )
}
