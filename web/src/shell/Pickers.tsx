import { NativeSelect } from '@mantine/core'
import { EMPTY } from '@trainyard/contract/words/problems.ts'
import { useMe } from '#src/session/me.ts'
import { useSelection } from '#src/navigation/useSelection.ts'
import { useOrganisations, useTrainings } from '#src/navigation/trainings.ts'
import { controlledText } from '#src/ui/typed-fields.tsx'
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
          chosen={selection.organization}
          names={organisations.isError ? [] : organisations.data}
          empty={EMPTY.customers}
          none="Select a customer"
          choose={selection.chooseOrganization}
        />
      )}
      <Picker
        label="Choose Lab Module"
        chosen={selection.training}
        names={selection.organization === null && !selection.training ? null : trainings.isError ? [] : trainings.data}
        empty={EMPTY.trainings}
        none={selection.organization === null ? 'Select a customer first' : 'Select a lab module'}
        choose={selection.chooseTraining}
      />
    </div>
  )
}

interface PickerProps {
  label: string
  chosen: string | null
  /** undefined while loading; null if a prior choice is missing. */
  names: readonly string[] | undefined | null
  empty: string
  none: string
  choose: (name: string | null) => void
}

function Picker({ label, chosen, names, empty, none, choose }: PickerProps) {
  const listed = chosen !== null && !names?.includes(chosen) ? [chosen, ...(names ?? [])] : (names ?? [])
  return (
    <NativeSelect
      label={label}
      size="sm"
      data={[{ value: '', label: names?.length === 0 ? empty : names === undefined ? 'Loading...' : none }, ...listed]}
      {...controlledText(chosen ?? '', (name) => choose(name || null))}
    />
  )
}
