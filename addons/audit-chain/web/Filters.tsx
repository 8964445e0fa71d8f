import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { auditLabels } from 'virtual:audit-labels'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import styles from './Audit.module.css'
import type { Fields } from './filter.ts'

const CALLS = [
  { value: '', label: 'Anything' },
  ...Object.entries(auditLabels)
    .map(([value, label]) => ({ value, label }))
    .toSorted((a, b) => a.label.localeCompare(b.label)),
]

interface FiltersProps {
  fields: Fields
  apply: (fields: Fields) => void
}

/** Filter fields above the list. They apply on submit, so typing sends no requests. */
export function Filters({ fields, apply }: FiltersProps) {
  const [entered, setEntered] = useState(fields)
  const field = (name: keyof Fields) =>
    controlledText(entered[name] ?? '', (text) => setEntered((before) => ({ ...before, [name]: text })))
  return (
    <search aria-label="Audit rows">
      <form
        className={styles.filters}
        onSubmit={(event) => {
          event.preventDefault()
          apply(entered)
        }}
      >
        <TextInput type="search" label="Contains" maxLength={100} {...field('text')} />
        <TextInput type="email" label="Person" placeholder="name@example.com" {...field('person')} />
        <NativeSelect label="Action" data={CALLS} {...field('call')} />
        <TextInput type="date" label="From" {...field('from')} />
        <TextInput type="date" label="Until" {...field('until')} />
        <div className={`row ${styles.send}`}>
          <Button type="submit">Search</Button>
          <Button
            variant="default"
            onClick={() => {
              setEntered({})
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
