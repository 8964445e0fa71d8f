import { givenNameFirst } from '@trainyard/platform/contract/words/person-name.ts'
import IconX from '@tabler/icons-react/icons/IconX'
import { useId, useRef, useState, type ChangeEvent, type DragEvent, type KeyboardEvent } from 'react'
import { decodeText } from '@trainyard/platform/contract/words/delimited.ts'
import { ENDS_ENTRY } from '@trainyard/platform/contract/words/email.ts'
import { ROSTER_LENGTH } from '../contract/learner-list.ts'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import {
  addRoster,
  addTyped,
  describeEntries,
  isValidEntry,
  removeEntries,
  removeInvalid,
  type Entries,
  type Entry,
} from './entries.ts'
import styles from './EmailChips.module.css'
import { AddressColumn, RosterRows } from './RosterRows.tsx'

interface EmailChipsProps {
  entries: Entries
  change: (entries: Entries) => void
  problem: string | null
  /** Addresses of learners who already have a machine in the training. */
  having: readonly string[]
  /** Focuses the field when its dialog opens. */
  isFirst: boolean
}

/** Matches a list or a display name. */
const IS_LIST = /[\s,;<\u3001\uFF0C\uFF1B]/

/** Returns a message for the user if the file is not text; null if it is text. */
const unreadableFile = (text: string): string | null =>
  text.startsWith('PK\u0003\u0004') ? 'is a workbook. Save it as CSV, or copy its cells and paste them' : null

const ADDS = new Set(['Enter', ',', ' '])

/** Typed text becomes a chip on Enter, comma, space, Tab or blur; a pasted list or a file is read as a roster. */
export function EmailChips({ entries, change, problem, having, isFirst }: EmailChipsProps) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [fileProblem, setFileProblem] = useState<string | null>(null)
  const { all } = entries
  const hasInvalid = all.some((entry) => !isValidEntry(entry))

  const add = (text: string) => {
    change(addTyped(entries, text))
    setTyped('')
  }
  /** Keyboards of phones send text instead of keys: complete addresses are added, and the last one stays. */
  const onInput = ({ currentTarget: { value }, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    const last = value.split(new RegExp(ENDS_ENTRY, 'g')).at(-1)!
    if (last === value || ('isComposing' in nativeEvent && nativeEvent.isComposing)) return setTyped(value)
    change(addTyped(entries, value.slice(0, value.length - last.length)))
    return setTyped(last)
  }
  const addFile = async (file: File | undefined) => {
    if (file === undefined) return
    const text = file.size > ROSTER_LENGTH ? '' : decodeText(new Uint8Array(await file.arrayBuffer()))
    const reason = file.size > ROSTER_LENGTH ? 'is larger than 2 MB. Split it' : unreadableFile(text)
    setFileProblem(reason === null ? null : `${file.name} ${reason}.`)
    if (reason === null) change(addRoster(entries, text))
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    const text = event.dataTransfer.getData('text/plain')
    if (event.dataTransfer.files.length > 0) void addFile(event.dataTransfer.files[0])
    else if (text !== '') change(addRoster(entries, text))
  }
  const moveTo = (place: number) => {
    const chips = box.current!.querySelectorAll<HTMLButtonElement>('button[data-chip]')
    if (place >= chips.length) input.current?.focus()
    else chips[Math.max(0, place)]?.focus()
  }
  const onInputKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (ADDS.has(event.key) || (event.key === 'Tab' && !event.shiftKey && typed.trim() !== '')) {
      event.preventDefault()
      add(event.key.length === 1 ? typed + event.key : typed)
    } else if ((event.key === 'Backspace' || event.key === 'ArrowLeft') && typed === '' && all.length > 0) {
      event.preventDefault()
      moveTo(all.length - 1)
    }
  }
  const onChipKey = (event: KeyboardEvent, entry: Entry, place: number) => {
    if (event.key === 'ArrowLeft') moveTo(place - 1)
    else if (event.key === 'ArrowRight') moveTo(place + 1)
    else if (event.key === 'Home') moveTo(0)
    else if (event.key === 'End' || event.key === 'Escape') moveTo(all.length)
    else if (event.key === 'Backspace' || event.key === 'Delete') remove(entry, place)
    else return
    event.preventDefault()
  }
  const remove = ({ email }: Entry, place: number) => {
    change(removeEntries(entries, [email]))
    requestAnimationFrame(() => moveTo(place))
  }

  return (
    <div className={styles.whole}>
      <label htmlFor={`${id}input`} className={styles.label}>
        Email IDs
      </label>
      <div
        ref={box}
        className={styles.box}
        data-invalid={problem !== null || undefined}
        onDragOver={(event) => event.preventDefault()}
        onDrop={onDrop}
      >
        {all.length > 0 && (
          <ul className={styles.chips} aria-label="Email IDs added">
            {all.map((entry, place) => (
              <li key={entry.email} className={styles.chip} data-invalid={!isValidEntry(entry) || undefined}>
                <span title={entry.email}>
                  {entry.name !== null && <strong>{givenNameFirst(entry.name)} </strong>}
                  {entry.email}
                </span>
                <button
                  type="button"
                  className="icon-button"
                  data-chip
                  tabIndex={-1}
                  aria-label={`Remove ${entry.email}${isValidEntry(entry) ? '' : ', which is invalid'}`}
                  onClick={() => remove(entry, place)}
                  onKeyDown={(event) => onChipKey(event, entry, place)}
                >
                  <IconX size={14} aria-hidden />
                </button>
              </li>
            ))}
          </ul>
        )}
        <input
          ref={input}
          id={`${id}input`}
          data-autofocus={isFirst || undefined}
          className={styles.input}
          type="text"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={all.length === 0 ? 'name@example.com, …' : undefined}
          aria-describedby={`${id}hint ${id}count`}
          aria-invalid={problem !== null || undefined}
          value={typed}
          onChange={onInput}
          onCompositionEnd={({ currentTarget }) => {
            if (ENDS_ENTRY.test(currentTarget.value)) add(currentTarget.value)
          }}
          onKeyDown={onInputKey}
          onBlur={() => {
            if (typed.trim() !== '') add(typed)
          }}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text')
            // A single pasted address can still be edited; a list becomes chips at once.
            if (!IS_LIST.test(pasted.trim())) return
            event.preventDefault()
            change(addRoster(typed.trim() === '' ? entries : addTyped(entries, typed), pasted))
            setTyped('')
          }}
        />
      </div>
      <p id={`${id}hint`} className="visually-hidden">
        One machine for each address. Press Enter, comma, space or Tab to add it, or paste a list. Press the left arrow
        to edit added addresses, and Delete to remove one.
      </p>
      <div className={styles.under}>
        {all.length === 0 && entries.rows.length === 0 && (
          <span aria-hidden="true">One machine for each address. Type, paste a list, or drop a file.</span>
        )}
        <output id={`${id}count`}>
          {(all.length > 0 || entries.rows.length > 0) && describeEntries(entries, having.length)}
        </output>
        <label className={`text-button ${styles.file}`}>
          Choose a file
          <input
            className="visually-hidden"
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
            // Without this, choosing the same (corrected) file again would fire no change event.
            onClick={(event) => (event.currentTarget.value = '')}
            onChange={({ currentTarget: { files } }) => void addFile(files?.[0])}
          />
        </label>
        {having.length > 0 && (
          <TextButton onClick={() => change(removeEntries(entries, having))}>
            Leave out learners with a machine
          </TextButton>
        )}
        {hasInvalid && (
          <TextButton
            onClick={() => {
              change(removeInvalid(entries))
              input.current?.focus()
            }}
          >
            Remove invalid
          </TextButton>
        )}
      </div>
      {entries.unusedColumns.length > 0 && <p className="dim">Columns not used: {entries.unusedColumns.join(', ')}.</p>}
      {fileProblem !== null && (
        <p role="alert" className={styles.problem}>
          {fileProblem}
        </p>
      )}
      {entries.inDoubt !== null && <AddressColumn entries={entries} inDoubt={entries.inDoubt} change={change} />}
      {entries.rows.length > 0 && <RosterRows entries={entries} change={change} />}
      {problem !== null && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  )
}
