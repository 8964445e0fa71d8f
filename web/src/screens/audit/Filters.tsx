import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { AUDIT_WORDS } from '@trainyard/contract/words/audit.ts'
import styles from './Audit.module.css'
import type { Fields } from './filter.ts'

const CALLS = Object.entries(AUDIT_WORDS).toSorted(([, a], [, b]) => a.localeCompare(b))

interface FiltersProps {
  fields: Fields
  apply: (fields: Fields) => void
}

/** Filter fields above the list. They apply on submit, so typing sends no requests. */
export function Filters({ fields, apply }: FiltersProps) {
  const [typed, setTyped] = useState(fields)
  const set = (name: keyof Fields) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    setTyped((before) => ({ ...before, [name]: value }))
  }
  return (
    <search aria-label="Audit rows">
      <form
        className={styles.filters}
        onSubmit={(event) => {
          event.preventDefault()
          apply(typed)
        }}
      >
        <TextInput type="search" label="Contains" value={typed.text ?? ''} maxLength={100} onChange={set('text')} />
        <TextInput
          type="email"
          label="Person"
          placeholder="name@example.com"
          value={typed.person ?? ''}
          onChange={set('person')}
        />
        <NativeSelect label="What" value={typed.call ?? ''} onChange={set('call')}>
          <option value="">Anything</option>
          {CALLS.map(([call, words]) => (
            <option key={call} value={call}>
              {words}
            </option>
          ))}
        </NativeSelect>
        <TextInput type="date" label="From" value={typed.from ?? ''} onChange={set('from')} />
        <TextInput type="date" label="Until" value={typed.until ?? ''} onChange={set('until')} />
        <div className={`row ${styles.send}`}>
          <Button type="submit">Search</Button>
          <Button
            variant="default"
            onClick={() => {
              setTyped({})
              apply({})
            }}
          >
            Show all
          </Button>
        </div>
      </form>
    </search>
  )
}
