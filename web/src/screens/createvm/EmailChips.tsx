import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { Icon } from '#src/ui/Icon.tsx'
import { TextButton } from '#src/ui/TextButton.tsx'
import { addEntries, describeEntries, isValidEntry, removeEntry, type Entries } from './entries.ts'
import styles from './EmailChips.module.css'

interface EmailChipsProps {
  entries: Entries
  change: (entries: Entries) => void
  problem: string | null
}

const ADDS = new Set(['Enter', ',', ' '])

/** Typed text becomes a chip on Enter, comma, space, Tab or blur; a pasted list becomes several. */
export function EmailChips({ entries, change, problem }: EmailChipsProps) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const invalid = entries.filter((entry) => !isValidEntry(entry))

  const add = (text: string) => {
    change(addEntries(entries, text))
    setTyped('')
  }
  const go = (place: number) => {
    const chips = box.current!.querySelectorAll<HTMLButtonElement>('button[data-chip]')
    if (place >= chips.length) input.current?.focus()
    else chips[Math.max(0, place)]?.focus()
  }
  const onInputKey = (event: KeyboardEvent<HTMLInputElement>) => {
    // A key during text composition (Japanese, Hindi, ...) belongs to the input method.
    if (event.nativeEvent.isComposing) return
    if (ADDS.has(event.key) || (event.key === 'Tab' && !event.shiftKey && typed.trim() !== '')) {
      event.preventDefault()
      add(typed)
    } else if ((event.key === 'Backspace' || event.key === 'ArrowLeft') && typed === '' && entries.length > 0) {
      event.preventDefault()
      go(entries.length - 1)
    }
  }
  const onChipKey = (event: KeyboardEvent, entry: string, place: number) => {
    if (event.key === 'ArrowLeft') go(place - 1)
    else if (event.key === 'ArrowRight') go(place + 1)
    else if (event.key === 'Home') go(0)
    else if (event.key === 'End' || event.key === 'Escape') go(entries.length)
    else if (event.key === 'Backspace' || event.key === 'Delete') remove(entry, place)
    else return
    event.preventDefault()
  }
  const remove = (entry: string, place: number) => {
    change(removeEntry(entries, entry))
    requestAnimationFrame(() => go(place))
  }

  return (
    <div className={styles.whole}>
      <label htmlFor={`${id}input`} className={styles.label}>
        Email IDs
      </label>
      <div ref={box} className={styles.box} data-invalid={problem !== null || undefined}>
        {entries.length > 0 && (
          <ul className={styles.chips} aria-label="Email IDs added">
            {entries.map((entry, place) => (
              <li key={entry} className={styles.chip} data-invalid={!isValidEntry(entry) || undefined}>
                <span>{entry}</span>
                <button
                  type="button"
                  className="icon-button"
                  data-chip
                  tabIndex={-1}
                  aria-label={`Remove ${entry}${isValidEntry(entry) ? '' : ', which is invalid'}`}
                  onClick={() => remove(entry, place)}
                  onKeyDown={(event) => onChipKey(event, entry, place)}
                >
                  <Icon name="close" size={14} />
                </button>
              </li>
            ))}
          </ul>
        )}
        <input
          ref={input}
          id={`${id}input`}
          className={styles.input}
          type="text"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={entries.length === 0 ? 'name@example.com, …' : undefined}
          aria-describedby={`${id}hint ${id}count`}
          aria-invalid={problem !== null || undefined}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={onInputKey}
          onBlur={() => {
            if (typed.trim() !== '') add(typed)
          }}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text')
            // A single pasted address can still be edited; a list becomes chips at once.
            if (!/[\s,]/.test(pasted.trim())) return
            event.preventDefault()
            add(typed + pasted)
          }}
        />
      </div>
      <p id={`${id}hint`} className="visually-hidden">
        One machine for each address. Press Enter, comma, space or Tab to add it. Press the left arrow to edit added
        addresses, and Delete to remove one.
      </p>
      <div className={styles.under}>
        {entries.length === 0 && (
          <span aria-hidden="true">One machine for each address. Press Enter, comma or space to add it.</span>
        )}
        <output id={`${id}count`}>{entries.length > 0 && describeEntries(entries)}</output>
        {invalid.length > 0 && (
          <TextButton
            onClick={() => {
              change(entries.filter(isValidEntry))
              input.current?.focus()
            }}
          >
            Remove invalid
          </TextButton>
        )}
      </div>
      {problem !== null && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  )
}
