import { Switch } from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { invalidate, query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { Dialog } from '@trainyard/platform/web/ui/Dialog.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { controlledCheck } from '@trainyard/platform/web/ui/typed-fields.tsx'
import styles from './Class.module.css'
import { useClassAction } from './useClassAction.ts'

export default function FilesAllowed({ training, close }: { training: TrainingQuery; close: () => void }) {
  const saved = useQuery(query(api.remote.filesAllowed, training))
  const [changed, setChanged] = useState<boolean | null>(null)
  const set = useClassAction(
    (allowed: boolean) => api.remote.allowFiles({ ...training, allowed }),
    () => {
      void invalidate(api.remote.filesAllowed)
      close()
    },
  )
  if (saved.data === undefined) {
    return (
      <Dialog title="Files in the browser" close={close}>
        <Fetched query={saved} loading={<Skeleton rows={1} height="4rem" />} />
      </Dialog>
    )
  }
  const allowed = changed ?? saved.data.allowed
  return (
    <ConfirmDialog
      title="Files in the browser"
      close={close}
      confirm="Save"
      busy={set.isPending && 'Saving...'}
      onConfirm={() => set.mutate(allowed)}
    >
      <p className={styles.explained}>
        Files of up to 1 GB, to and from Linux machines, next to the terminal in the browser. Each transfer is logged
        with user, machine, file and size, but without its content.
      </p>
      <Switch
        label="Learners and instructors can transfer files"
        description="If you turn it off, transfers in progress end within seconds."
        {...controlledCheck(allowed, setChanged)}
      />
    </ConfirmDialog>
  )
}
