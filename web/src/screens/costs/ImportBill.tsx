import { Checkbox } from '@mantine/core'
import { useId, useState } from 'react'
import { api } from '#src/api/client.ts'
import { invalidate } from '#src/api/queries.ts'
import { useMutation } from '#src/api/useMutation.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { notify } from '#src/ui/notices.ts'
import styles from './Costs.module.css'
import { sendBill } from './send-bill.ts'

/** Sends the files of a cost export; a worker imports them then. */
export default function ImportBill({ close }: { close: () => void }) {
  const id = useId()
  const [files, setFiles] = useState<readonly File[]>([])
  const [leaveOutBad, setLeaveOutBad] = useState(false)
  const [tried, setTried] = useState(false)
  const [sent, setSent] = useState(0)
  const sending = useMutation({
    mutationFn: () => sendBill(files, leaveOutBad, setSent),
    onSuccess() {
      notify.status('All has come. The import goes on by itself; see Imports.')
      close()
      return invalidate(api.cost.imports)
    },
    onError: (error) => notify.alert(error.message, error),
  })
  const submit = () => {
    setTried(true)
    if (files.length > 0) sending.mutate()
  }
  return (
    <FormDialog
      title="Import a Bill"
      submit="Import"
      busy={sending.isPending && `Sending ${Math.round(sent * 100)} %...`}
      onSubmit={submit}
      close={close}
    >
      <p>
        A cost export as CSV, packed with gzip or not: Azure’s (EA, MCA, FOCUS) or AWS’s (Cost and Usage Report, FOCUS).
        Choose all files of one export together. The newest export of a month takes the place of those before.
      </p>
      <div className={styles.file}>
        <label htmlFor={id}>Files</label>
        <input
          data-autofocus
          id={id}
          type="file"
          multiple
          accept=".csv,.gz,text/csv,application/gzip"
          aria-describedby={tried && files.length === 0 ? `${id}-problem` : undefined}
          onChange={(event) => setFiles([...(event.currentTarget.files ?? [])])}
        />
        {tried && files.length === 0 && (
          <span id={`${id}-problem`} role="alert">
            Choose the files of an export.
          </span>
        )}
      </div>
      <Checkbox
        label="Import the rest where lines can’t be read"
        description="Else one such line refuses all of it. They are named by number either way."
        checked={leaveOutBad}
        onChange={(event) => setLeaveOutBad(event.currentTarget.checked)}
      />
    </FormDialog>
  )
}
