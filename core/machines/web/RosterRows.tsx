import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { addRoster, correctRow, leaveOutRows, type Entries, type RosterRow } from './entries.ts'
import styles from './EmailChips.module.css'

interface RosterRowsProps {
  entries: Entries
  change: (entries: Entries) => void
}

interface AddressColumnProps extends RosterRowsProps {
  inDoubt: NonNullable<Entries['inDoubt']>
}

/** Asks which column of a pasted roster has the addresses of the learners. */
export function AddressColumn({ entries, inDoubt: { text, columns, chosen }, change }: AddressColumnProps) {
  return (
    <section className={styles.rows} aria-label="Column of addresses">
      <output>The list has several columns of addresses. Which one has the addresses of the learners?</output>
      {columns.map((column) => (
        <Button key={column} variant="default" onClick={() => change(addRoster(entries, text, [...chosen, column]))}>
          {column}
        </Button>
      ))}
      <TextButton onClick={() => change({ ...entries, inDoubt: null })}>Leave out the list</TextButton>
    </section>
  )
}

/** Rows of a pasted roster that are not learners, each to be corrected or left out. */
export function RosterRows({ entries, change }: RosterRowsProps) {
  const { rows } = entries
  return (
    <section className={styles.rows} aria-label="Rows to correct">
      {rows.map((row) => (
        <Row
          key={row.key}
          row={row}
          correct={(text) => change(correctRow(entries, row.key, text))}
          leaveOut={() => change(leaveOutRows(entries, [row.key]))}
        />
      ))}
      {rows.length > 1 && (
        <TextButton
          onClick={() =>
            change(
              leaveOutRows(
                entries,
                rows.map(({ key }) => key),
              ),
            )
          }
        >
          Leave out all {rows.length}
        </TextButton>
      )}
    </section>
  )
}

interface RowProps {
  row: RosterRow
  correct: (text: string) => void
  leaveOut: () => void
}

function Row({ row: { line, text, reason }, correct, leaveOut }: RowProps) {
  const [typed, setTyped] = useState(text)
  const submit = () => {
    if (typed.trim() !== text.trim()) correct(typed)
  }
  return (
    <div className={styles.row}>
      <TextInput
        aria-label={`Line ${line}`}
        size="sm"
        autoComplete="off"
        spellCheck={false}
        {...controlledText(typed, setTyped)}
        onBlur={submit}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          submit()
        }}
      />
      <TextButton label={`Leave out line ${line}`} onClick={leaveOut}>
        Leave out
      </TextButton>
      <p className={styles.problem}>
        Line {line}: {reason}
      </p>
    </div>
  )
}
