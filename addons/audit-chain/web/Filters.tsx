import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { Button, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { ACTIONS, actionText, callOf } from './actions.ts'
import styles from './Audit.module.css'
import type { Fields } from './filter.ts'

interface FiltersProps {
  fields: Fields
  apply: (fields: Fields) => void
}

/** Filter fields above the list. They apply on submit, so typing sends no requests. */
export function Filters({ fields, apply }: FiltersProps) {
  const actions = useId()
  const [entered, setEntered] = useState(fields)
  const [action, setAction] = useState(fields.call === undefined ? '' : actionText(fields.call))
  const [tried, setTried] = useState(false)
  const call = callOf(action)
  const field = (name: Exclude<keyof Fields, 'call'>) =>
    controlledText(entered[name] ?? '', (text) => setEntered((before) => ({ ...before, [name]: text })))
  return (
    <search aria-label="Audit rows">
      <form
        className={styles.filters}
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (call !== null) apply({ ...entered, call })
        }}
      >
        <TextInput type="search" label="Contains" maxLength={100} {...field('text')} />
        <TextInput type="email" label="Person" placeholder="name@example.com" {...field('person')} />
        <TextInput
          type="search"
          label="Action"
          placeholder="Anything"
          list={actions}
          autoComplete="off"
          {...controlledText(action, setAction)}
          error={tried && call === null && <span role="alert">Choose an action from the list.</span>}
        />
        <datalist id={actions}>
          {ACTIONS.map(({ text }) => (
            <option key={text} value={text} aria-label={text} />
          ))}
        </datalist>
        <DateField label="From" {...field('from')} />
        <DateField label="Until" {...field('until')} />
        <div className={`row ${styles.send}`}>
          <Button type="submit">Search</Button>
          <Button
            variant="default"
            onClick={() => {
              setEntered({})
              setAction('')
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
