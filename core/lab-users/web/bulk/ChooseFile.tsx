import IconDownload from '@tabler/icons-react/icons/IconDownload'
import { Button, TextInput } from '@mantine/core'
import { useId } from 'react'
import { SANDBOX_DAYS_MAX } from '@trainyard/platform/contract/words/limits.ts'
import type { CsvRows } from '@trainyard/platform/contract/words/csv.ts'
import { saveCsv } from '@trainyard/platform/web/ui/saveCsv.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import styles from './Bulk.module.css'

interface ChooseFileProps {
  choose: (file: File | undefined) => void
  problem: string | null
  duration: string
  setDuration: (entered: string) => void
  durationProblem: string | null
}

const EXAMPLE: CsvRows = [
  ['username', 'personalEmail', 'duration'],
  ['asha.rao', 'asha.rao@example.com', 5],
]

export function ChooseFile({ choose, problem, duration, setDuration, durationProblem }: ChooseFileProps) {
  const id = useId()
  return (
    <div className="stack">
      <p>
        The first line is the header. Each further line is one user: username, personal email and, optionally, the
        duration in days.
      </p>
      <div className={styles.choice}>
        <div className={styles.file}>
          <label htmlFor={id}>CSV file</label>
          <input
            data-autofocus
            id={id}
            type="file"
            accept=".csv,text/csv,text/plain"
            aria-describedby={problem === null ? undefined : `${id}-problem`}
            // Without this, choosing the same (corrected) file again would fire no change event.
            onClick={(event) => (event.currentTarget.value = '')}
            onChange={(event) => choose(event.currentTarget.files?.[0])}
          />
        </div>
        <TextInput
          label="Duration (days)"
          description="For rows without a duration."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          w="11rem"
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          {...controlledText(duration, setDuration)}
          error={durationProblem !== null && <span role="alert">{durationProblem}</span>}
          placeholder={`1 to ${SANDBOX_DAYS_MAX}`}
        />
      </div>
      {problem !== null && (
        <p id={`${id}-problem`} role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <p>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconDownload size={15} aria-hidden />}
          onClick={() => saveCsv('lab-users-example', EXAMPLE)}
        >
          Download an example
        </Button>
      </p>
    </div>
  )
}
