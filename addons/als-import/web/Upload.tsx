import { useId, useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { labImport } from '../contract/lab-import.ts'
import { decodeText } from '@trainyard/platform/contract/words/delimited.ts'
import { LAB_FILE_CHARACTERS, LAB_FILES_MAX } from '../contract/lab-import-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { FormDialog } from '@trainyard/platform/web/ui/FormDialog.tsx'
import styles from './LabImport.module.css'

type Problems = ReplyOf<typeof labImport.upload>['problems']

export default function Upload({
  organisationQuery,
  close,
}: {
  organisationQuery: { organization?: string }
  close: () => void
}) {
  const id = useId()
  const [files, setFiles] = useState<readonly File[]>([])
  const [tried, setTried] = useState(false)
  const [problems, setProblems] = useState<Problems>([])
  const sending = useAction(
    async () => {
      const read = await Promise.all(
        files.map(async (file) => ({ name: file.name, csv: decodeText(new Uint8Array(await file.arrayBuffer())) })),
      )
      return api.labImport.upload({ ...organisationQuery, files: read })
    },
    {
      invalidates: ['labImport'],
      onDone(reply) {
        setProblems(reply.problems)
        if (reply._id !== null) close()
      },
    },
  )
  const problem =
    files.length === 0
      ? 'Choose the files of your labs.'
      : files.length > LAB_FILES_MAX
        ? `Choose at most ${LAB_FILES_MAX} files.`
        : files.some(({ size }) => size > LAB_FILE_CHARACTERS)
          ? 'A file is too large. Split it.'
          : null
  return (
    <FormDialog
      title="Upload Files"
      submit="Read the Files"
      busy={sending.isPending && 'Reading...'}
      onSubmit={() => {
        setTried(true)
        if (problem === null) sending.mutate()
      }}
      close={close}
    >
      <p>
        CSV files: the lab list of Microsoft’s bulk scripts, the schedule lists that it names, and for each lab a list
        of e-mail addresses with the lab’s name as file name. Passwords in them are not stored.
      </p>
      <div className={styles.file}>
        <label htmlFor={id}>Files</label>
        <input
          data-autofocus
          id={id}
          type="file"
          multiple
          accept=".csv,text/csv,text/plain"
          aria-describedby={tried && problem !== null ? `${id}-problem` : undefined}
          onChange={(event) => {
            setFiles([...(event.currentTarget.files ?? [])])
            setProblems([])
          }}
        />
        {tried && problem !== null && (
          <span id={`${id}-problem`} role="alert">
            {problem}
          </span>
        )}
      </div>
      {problems.length > 0 && (
        <ul className={styles.problems} aria-label="Problems of the files">
          {problems.map(({ file, line, reason }) => (
            <li key={`${file} ${line} ${reason}`}>
              {file}, line {line}: {reason}
            </li>
          ))}
        </ul>
      )}
    </FormDialog>
  )
}
