import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { EMPTY } from '../../contract/words/problems.ts'
import { useMe } from '../session/me.ts'
import { useSelection } from '../navigation/useSelection.ts'
import { useOrganisations, useTrainings } from '../navigation/trainings.ts'
import { controlledText } from '../ui/typed-fields.tsx'
import styles from './Pickers.module.css'

export function Pickers() {
  const { role } = useMe()
  const selection = useSelection()
  const superadmin = role === 'superadmin'
  const organisations = useOrganisations(superadmin)
  const trainings = useTrainings(selection.organization)
  return (
    <div className={styles.pickers}>
      {superadmin && (
        <Picker
          label="Choose Customer"
          searchLabel="Search customers"
          chosen={selection.organization}
          names={organisations.isError ? [] : organisations.data}
          empty={EMPTY.customers}
          none="Select a customer"
          choose={selection.chooseOrganization}
        />
      )}
      <Picker
        label="Choose Lab Module"
        searchLabel="Search lab modules"
        chosen={selection.training}
        names={selection.organization === null && !selection.training ? null : trainings.isError ? [] : trainings.data}
        empty={EMPTY.trainings}
        none={selection.organization === null ? 'Select a customer first' : 'Select a lab module'}
        choose={selection.chooseTraining}
      />
    </div>
  )
}

/** Longer lists have a search field. */
const SEARCHED_MIN = 20

const namesWith = (names: readonly string[], sought: string): readonly string[] =>
  names.filter((name) => name.toLowerCase().includes(sought.trim().toLowerCase()))

interface PickerProps {
  label: string
  searchLabel: string
  chosen: string | null
  /** undefined while loading; null if a prior choice is missing. */
  names: readonly string[] | undefined | null
  empty: string
  none: string
  choose: (name: string | null) => void
}

function Picker({ label, searchLabel, chosen, names, empty, none, choose }: PickerProps) {
  const [sought, setSought] = useState('')
  const hasSearch = (names?.length ?? 0) > SEARCHED_MIN
  const matching = hasSearch ? namesWith(names ?? [], sought) : (names ?? [])
  const listed = chosen !== null && !matching.includes(chosen) ? [chosen, ...matching] : matching
  const select = (
    <NativeSelect
      label={label}
      size="sm"
      data={[{ value: '', label: names?.length === 0 ? empty : names === undefined ? 'Loading...' : none }, ...listed]}
      {...controlledText(chosen ?? '', (name) => choose(name || null))}
    />
  )
  if (!hasSearch) return select
  return (
    <div>
      {select}
      <TextInput
        type="search"
        size="sm"
        mt="xs"
        aria-label={searchLabel}
        placeholder="Search, then Enter"
        error={sought.trim() !== '' && matching.length === 0 && 'No matches.'}
        {...controlledText(sought, setSought)}
        onKeyDown={({ key }) => {
          const [first] = matching
          if (key !== 'Enter' || sought.trim() === '' || first === undefined) return
          setSought('')
          choose(first)
        }}
      />
    </div>
  )
}
