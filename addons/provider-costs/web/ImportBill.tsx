import { Checkbox } from '@mantine/core'
import { useId, useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import { controlledCheck } from '@trainyard/platform/web/ui/typed-fields.tsx'
import styles from './Costs.module.css'
import { sendBill } from './send-bill.ts'

export default function ImportBill({ close }: { close: () => void }) {
  const id = useId()
  const [files, setFiles] = useState<readonly File[]>([])
  const [leaveOutBad, setLeaveOutBad] = useState(false)
  const [tried, setTried] = useState(false)
  const [sent, setSent] = useState(0)
  const sending = useAction(
    async () => {
      await sendBill(files, leaveOutBad, setSent)
      return { message: 'Upload complete. The import continues in the background; see Imports.' }
    },
    { invalidates: [api.cost.imports], onDone: close },
  )
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
        A cost export as CSV, optionally compressed with gzip: from Azure (EA, MCA, FOCUS) or AWS (Cost and Usage
        Report, FOCUS). Choose all files of one export together. The newest export of a month replaces earlier ones.
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
        label="Skip lines that can’t be read"
        description="Otherwise one such line rejects the whole import. Their line numbers are listed either way."
        {...controlledCheck(leaveOutBad, setLeaveOutBad)}
      />
    </FormDialog>
  )
}
